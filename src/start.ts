import { createSerializationAdapter, notFound } from '@tanstack/react-router'
import { createCsrfMiddleware, createMiddleware, createStart } from '@tanstack/react-start'
import { pageDataAdapter } from '#queries/page-data.ts'
import {
  answerUnknownFunction,
  answerUnreadablePayload,
  hasFunctionName,
  isRejectedInput,
  isUnknownFunction,
  type ServerFunctionCall,
} from './framework/server-function-call.server.ts'
import { failServerFunction } from './framework/server-function-failure.server.ts'
import { failureOf } from './monitoring/failure-of.ts'
import { type Failure, isControlFlow, ServerFailure } from './monitoring/failure.ts'
import { pageDataServer } from './navigation/page-data-server.ts'
import { createRetryingFetch, wait } from './navigation/read-retry.ts'
import { requestViewer } from './server/auth/session-middleware.functions.ts'
import { createNonce, setSecurityHeaders } from './server/http/answer/security-headers.ts'

/** Fetch for page data: retries a read that failed on the server. */
const fetchPageData = createRetryingFetch({
  fetch: (input, init) => fetch(input, init),
  random: Math.random,
  isOnline: () => navigator.onLine,
  wait,
  server: pageDataServer,
})

/** Start installs its own CSRF check only if there is no start.ts. Server routes are open to any origin. */
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === 'serverFn' })

const securityHeaders = createMiddleware().server(async ({ next, request }) => {
  const nonce = createNonce()
  const result = await next({ context: { nonce } })
  setSecurityHeaders(result.response.headers, { nonce, url: request.url })
  return result
})

/** Start treats an invalid call as a server error: 500, with the client's name in the message. */
const serverFunctionCalls = createMiddleware()
  .middleware([securityHeaders])
  .server(async ({ next, handlerType, pathname, request, context }) => {
    if (handlerType === 'serverFn' && !hasFunctionName(pathname)) return answerUnknownFunction()
    const call: ServerFunctionCall | undefined = handlerType === 'serverFn' ? { hasBegun: false } : undefined
    try {
      const serve = async () => next({ context: { call } })
      const isPrefetch = request.headers.get('purpose') === 'prefetch'
      const result = isPrefetch ? await context.services.prefetchLimiter.run(serve) : await serve()
      const isUnreadable = call?.hasBegun === false && result.response.status >= 500
      if (isUnreadable) return answerUnreadablePayload()
      return result
    } catch (thrown) {
      if (isUnknownFunction(thrown)) return answerUnknownFunction()
      throw thrown
    }
  })

/** Start answers a server function that throws with 200 and logs nothing: this adds status and digest. */
const serverFunctionFailures = createMiddleware({ type: 'function' })
  .middleware([serverFunctionCalls])
  .server(async ({ next, context, serverFnMeta }) => {
    if (context.call !== undefined) context.call.hasBegun = true
    try {
      return await context.services.ownTraces.traceFunction(serverFnMeta.name, async () => next())
    } catch (thrown) {
      if (isControlFlow(thrown)) throw thrown
      if (isRejectedInput(thrown)) notFound({ throw: true })
      throw failServerFunction(thrown)
    }
  })

/**
 * The browser receives only the digest of an error, not its message or stack. Applies to server functions,
 * hydration data and streamed values.
 */
const serverFailureAdapter = createSerializationAdapter({
  key: 'server-failure',
  test: (value): value is Error => value instanceof Error,
  toSerializable: (error) => toServerFailure(failureOf(error)),
  fromSerializable: (failure): Error => new ServerFailure(failure),
})

/** Only the server answers with errors, and there each has a digest. */
function toServerFailure({ digest = '', isTimeout, isUnavailable, at }: Failure) {
  return { digest, isTimeout, isUnavailable, at }
}

export const startInstance = createStart(() => ({
  serverFns: { fetch: fetchPageData },
  requestMiddleware: [securityHeaders, csrf, serverFunctionCalls, requestViewer],
  functionMiddleware: [serverFunctionFailures],
  serializationAdapters: [pageDataAdapter, serverFailureAdapter],
}))
