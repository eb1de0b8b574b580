import * as Sentry from '@sentry/tanstackstart-react'
import type { Log } from '#server/log.ts'
import { toDigest } from './failure.ts'
import { findNoise } from './noise-filter.ts'
import { release } from './release.ts'

/** Delivers Culvert's own envelopes to its ingest, without HTTP. */
export type DeliverEnvelope = (body: Uint8Array) => Promise<void>

export interface ServerSdkOptions {
  dsn: string
  environment: string
  deliver: DeliverEnvelope
  /** Gets one line for each error, with its digest. */
  log: Pick<Log, 'error'>
}

/**
 * Starts Culvert's own error reporting on the server. Nothing leaves the process: the transport hands each
 * envelope to `deliver`. Tracing and the HTTP instrumentations stay off, because every ingested envelope
 * would report itself.
 */
export function startServerSdk(options: ServerSdkOptions): void {
  Sentry.init({
    dsn: options.dsn,
    environment: options.environment,
    release,
    transport: (settings: Parameters<typeof Sentry.createTransport>[0]) =>
      Sentry.createTransport(settings, async (request) => {
        await options.deliver(toBytes(request.body))
        return { statusCode: 200 }
      }),
    skipOpenTelemetrySetup: true,
    // Nothing is instrumented, and the hooks run in a thread for which every import waits: a quarter of a
    // start's CPU time.
    registerEsmLoaderHooks: false,
    sendClientReports: false,
    beforeSend(event, { originalException }) {
      if (findNoise(event, { originalException }) !== undefined) return null
      options.log.error(
        { digest: toDigest(event.event_id ?? ''), err: originalException },
        'application error',
      )
      return event
    },
    defaultIntegrations: [
      Sentry.eventFiltersIntegration(),
      Sentry.functionToStringIntegration(),
      Sentry.linkedErrorsIntegration(),
      Sentry.contextLinesIntegration(),
      Sentry.nodeContextIntegration(),
      Sentry.onUncaughtExceptionIntegration(),
      Sentry.onUnhandledRejectionIntegration({ mode: 'strict' }),
    ],
  })
}

/** Resolves when all pending reports are stored, or after the timeout. */
export async function flushServerSdk(timeoutMs: number): Promise<void> {
  await Sentry.flush(timeoutMs)
}

function toBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}
