import { createStartHandler } from '@tanstack/react-start/server'
import { createServerEntry } from '@tanstack/react-start/server-entry'
import { logConsoleErrors } from './framework/console-errors.server.ts'
import { renderPage } from './framework/render-page.server.tsx'
import { answerUnknownFunction, isUnknownFunction } from './framework/server-function-call.server.ts'
import { answerCrash } from './monitoring/crash-answer.server.ts'
import { release } from './monitoring/release.ts'
import { flushServerSdk, startServerSdk } from './monitoring/sdk.server.ts'
import { answerClosed } from './server/http/answer/closed-answer.ts'
import { normalizeWebForwarding } from './server/http/forwarding-headers.ts'
import { findWaitUntil } from './server/http/wait-until.ts'
import { handleIngestRequest } from './server/http/web.ts'
import { receiveLocalEnvelope } from './server/ingest/receive/envelope.ts'
import { limits } from './server/limits.ts'
import { createLog } from './server/log.ts'
import { createOwnServices } from './server/own-services.ts'
import { createServicesFromEnvironment, type Services } from './server/services.ts'

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: { services: Services } }
  }
}

const handle = createStartHandler(renderPage)

const log = createLog('error')
const findOwnServices = createOwnServices({ open: createServicesFromEnvironment, log })
let watched: Services | undefined
if (import.meta.env.PROD) logConsoleErrors(log)

/**
 * The fetch entry: handles every request that the Node front does not answer itself. The Node front passes
 * its services in the request's context; without a front (the development server, a serverless host) the
 * entry creates its own once, and answers 503 if that fails.
 */
export default createServerEntry({
  async fetch(request, options) {
    const passed = options?.context?.services
    if (passed !== undefined) return answer(passed, request, options)
    const endsAt = performance.now() + limits.serverlessWorkMs
    const waitUntil = findWaitUntil(request)
    const own = await findOwnServices()
    if (!own.isOpen) return answerClosed(request, own.reason)
    const { services } = own
    normalizeWebForwarding(request, services)
    const answered = await answer(services, request, options)
    waitUntil?.(flushServerSdk(limits.reportsAwaitMs).then(() => services.housekeeping.settle(endsAt)))
    return answered
  },
})

async function answer(
  services: Services,
  request: Request,
  options: Parameters<typeof handle>[1],
): Promise<Response> {
  if (watched !== services) watch(services)
  // Before Start, whose middleware is for pages: SDKs follow no redirect, and `no-store` stops browsers from
  // sending.
  const ingested = handleIngestRequest(services, request)
  if (ingested !== undefined) return ingested
  try {
    const { pathname: path } = new URL(request.url)
    return await services.ownTraces.traceRequest({ method: request.method, path }, async () =>
      handle(request, { ...options, context: { services } }),
    )
  } catch (thrown) {
    return isUnknownFunction(thrown)
      ? answerUnknownFunction()
      : answerCrash(request, thrown, services.accounts)
  }
}

function watch(services: Services): void {
  watched = services
  const { dsn, projectId } = services.monitoring
  services.ownTraces.start({
    release,
    environment: services.env.environment,
    clock: services.clock,
    deliver: async (body) => {
      try {
        await receiveLocalEnvelope(services, { projectId, body })
      } catch (err) {
        services.log.debug({ err }, 'a trace of this process is not stored')
      }
    },
  })
  startServerSdk({
    dsn,
    environment: services.env.environment,
    log: services.log,
    deliver: async (body) => {
      await receiveLocalEnvelope(services, { projectId, body })
    },
  })
}
