import * as Sentry from '@sentry/tanstackstart-react'
import { findNoise } from './noise-filter.ts'
import { release } from './release.ts'

/** Where an envelope of Culvert's own goes: straight into its own intake, without HTTP. */
export type DeliverEnvelope = (body: Uint8Array) => Promise<void>

export interface ServerSdkOptions {
  dsn: string
  environment: string
  deliver: DeliverEnvelope
}

/**
 * Starts Culvert's own error reporting on the server. Nothing leaves the process: the transport hands each envelope
 * to `deliver`. Tracing and the HTTP instrumentations stay off, since every envelope taken in would report itself.
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
    sendClientReports: false,
    beforeSend: (event, { originalException }) =>
      findNoise(event, { originalException }) === undefined ? event : null,
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

function toBytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}
