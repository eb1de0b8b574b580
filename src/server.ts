import { createStartHandler } from '@tanstack/react-start/server'
import { createServerEntry } from '@tanstack/react-start/server-entry'
import { answerCrash } from './monitoring/crash-answer.server.ts'
import { renderPage } from './monitoring/render-page.server.tsx'
import { startServerSdk } from './monitoring/sdk.server.ts'
import { receiveEnvelope } from './server/ingest/receive-envelope.ts'
import { createServicesFromEnvironment, type Services } from './server/services.ts'

declare module '@tanstack/react-start' {
  interface Register {
    server: { requestContext: { services: Services } }
  }
}

const handle = createStartHandler(renderPage)

let ownServices: Promise<Services> | undefined
let watched: Services | undefined

/**
 * The fetch entry: every request that is no ingest and no file ends here. The Node front passes its services in the
 * request's context; without a front (the development server, a serverless host) the entry makes its own, once.
 */
export default createServerEntry({
  async fetch(request, options) {
    const services = options?.context?.services ?? (await (ownServices ??= createServicesFromEnvironment()))
    if (watched !== services) watch(services)
    try {
      return await handle(request, { ...options, context: { services } })
    } catch (thrown) {
      return answerCrash(request, thrown, services.log)
    }
  },
})

function watch(services: Services): void {
  watched = services
  const { dsn, projectId } = services.monitoring
  startServerSdk({
    dsn,
    environment: services.env.environment,
    deliver: async (body) => {
      await receiveEnvelope(services, { projectId, body })
    },
  })
}
