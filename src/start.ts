import { createSerializationAdapter } from '@tanstack/react-router'
import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { failureOf } from './monitoring/failure-of.ts'
import { type Failure, isControlFlow, ServerFailure } from './monitoring/failure.ts'
import { failServerFunction } from './monitoring/server-function-failure.server.ts'
import { createRetryingFetch, wait } from './navigation/read-retry.ts'
import { createNonce, setSecurityHeaders } from './server/http/security-headers.ts'

/** How the browser asks for page data: a read that failed on the server is sent again. */
const fetchPageData = createRetryingFetch({
  fetch: (input, init) => fetch(input, init),
  random: Math.random,
  isOnline: () => navigator.onLine,
  wait,
})

/** Start installs its CSRF check by itself only where no start.ts exists. Server routes (ingest) stay open to any origin. */
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })

const securityHeaders = createMiddleware().server(async ({ next }) => {
  const nonce = createNonce()
  const result = await next({ context: { nonce } })
  setSecurityHeaders(result.response.headers, nonce)
  return result
})

/** Start answers a server function that throws with 200 and logs nothing: this gives it a status, a digest and a log line. */
const serverFunctionFailures = createMiddleware({ type: 'function' }).server(async ({ next, context }) => {
  try {
    return await next()
  } catch (thrown) {
    if (isControlFlow(thrown)) throw thrown
    throw failServerFunction(thrown, context.services.log)
  }
})

/**
 * An error crosses to the browser as its digest and nothing else: not its message, not its stack. Covers server
 * functions, hydration data and streamed values alike.
 */
const serverFailureAdapter = createSerializationAdapter({
  key: 'server-failure',
  test: (value): value is Error => value instanceof Error,
  toSerializable: (error) => toServerFailure(failureOf(error)),
  fromSerializable: (failure): Error => new ServerFailure(failure),
})

function toServerFailure({ digest, isTimeout }: Failure) {
  return { digest, isTimeout }
}

export const startInstance = createStart(() => ({
  serverFns: { fetch: fetchPageData },
  requestMiddleware: [csrf, securityHeaders],
  functionMiddleware: [serverFunctionFailures],
  serializationAdapters: [serverFailureAdapter],
}))
