/**
 * One deployment of the demo's API or worker, in its own process: it has its own SDK, release and
 * environment. Started by the demo with `SENTRY_DSN`, `SENTRY_RELEASE` and `SENTRY_ENVIRONMENT` set, and the
 * deployment as JSON in `DEMO_DEPLOYMENT`. Prints the number of events that the SDK sent.
 */
import { join } from 'node:path'
import * as Sentry from '@sentry/node'
import { parseDeployment } from './deployments.ts'
import { moveToPast } from './past.ts'
import { createRandom } from './random.ts'
import { planSessions } from './sessions.ts'

let sentEvents = 0

Sentry.init({
  serverName: `${process.env['SENTRY_ENVIRONMENT']}-1.shop.internal`,
  // Hundreds of events per second: with its default buffer of 64 the SDK would drop some.
  transportOptions: { bufferSize: 2_000 },
  // Every call of the API is a visit with its own trace.
  tracePropagationTargets: [],
  tracesSampleRate: 1,
  beforeSend: moveToPast,
  beforeSendTransaction: moveToPast,
  integrations: (defaults) => [
    // It would send sessions of this process and of every call, now; those of the demo's day are sent below.
    ...defaults.filter(({ name }) => name !== 'ProcessSession'),
    Sentry.rewriteFramesIntegration({ root: join(import.meta.dirname, 'shop'), prefix: '/srv/shop/' }),
    Sentry.onUncaughtExceptionIntegration({ exitEvenIfOtherHandlersAreRegistered: false }),
    Sentry.onUnhandledRejectionIntegration({ mode: 'none' }),
    Sentry.httpIntegration({
      trackIncomingRequestsAsSessions: false,
      // The partners' servers also run in this process.
      ignoreIncomingRequests: (path) => path.startsWith('/tax/') || path.startsWith('/carrier/'),
    }),
  ],
})
Sentry.getClient()?.on('afterSendEvent', (event, response) => {
  if (event.type === undefined && response.statusCode === 200) sentEvents += 1
})

// The shop's own handler: a crash of the demo's worker belongs to its simulated day, not to this process.
process.on('uncaughtException', () => undefined)
console.log = console.info = () => undefined

const deployment = parseDeployment(process.env['DEMO_DEPLOYMENT'] ?? '')
const random = createRandom(deployment.hours.fromHoursAgo)
const context = { deployment, now: Date.now(), random }

if (deployment.service === 'api') {
  const { runApi } = await import('./shop/api/traffic.ts')
  await runApi(context)
  for (const sessions of planSessions(deployment, context)) Sentry.getClient()?.sendSession(sessions)
} else {
  const { runWorker } = await import('./shop/worker/traffic.ts')
  const { runScheduledJobs } = await import('./shop/worker/schedule.ts')
  await runWorker(context)
  if (deployment.hours.toHoursAgo === 0) await runScheduledJobs()
}
await Sentry.flush(2 * 60_000)
process.stdout.write(`${sentEvents}\n`)
process.exit(0)
