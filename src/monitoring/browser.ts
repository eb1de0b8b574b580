import type { MonitoringConfig } from './config.ts'
import { isControlFlow, toDigest } from './failure.ts'

interface PendingError {
  thrown: unknown
  eventId: string
  handled: boolean
}

/** Maximum number of errors queued until the SDK is loaded, because a page may throw in a loop. */
const pendingErrorsMax = 20

const digests = new WeakMap<object, string>()
const pending: PendingError[] = []
let send: ((error: PendingError) => void) | undefined

/**
 * Captures an error in the browser and returns its digest immediately: the event id is generated here and
 * passed to the SDK, which may still be loading. The same error captured again has the same digest.
 */
export function captureClientError(thrown: unknown, handled = false): string {
  const known = typeof thrown === 'object' && thrown !== null ? digests.get(thrown) : undefined
  if (known !== undefined) return known
  const eventId = crypto.randomUUID().replaceAll('-', '')
  const digest = toDigest(eventId)
  if (typeof thrown === 'object' && thrown !== null) digests.set(thrown, digest)
  if (isControlFlow(thrown)) return digest
  const error = { thrown, eventId, handled }
  if (send !== undefined) send(error)
  else if (pending.length < pendingErrorsMax) pending.push(error)
  return digest
}

/** Queues errors until the SDK is loaded. Call once, before hydration. */
export function watchEarlyErrors(): void {
  window.addEventListener('error', onEarlyError)
  window.addEventListener('unhandledrejection', onEarlyRejection)
}

/**
 * Loads the SDK off the critical path, starts it and sends the queued errors. If the code fails to load, it
 * is loaded when the network is available again.
 */
export async function startBrowserMonitoring(config: MonitoringConfig): Promise<void> {
  const sdk = await import('./client-sdk.ts').catch(() => undefined)
  if (send !== undefined) return
  if (sdk === undefined) {
    window.addEventListener('online', () => void startBrowserMonitoring(config), { once: true })
    return
  }
  const { startClientSdk, ownMechanism } = sdk
  const client = startClientSdk(config)
  window.removeEventListener('error', onEarlyError)
  window.removeEventListener('unhandledrejection', onEarlyRejection)
  send = ({ thrown, eventId, handled }) => {
    const mechanism = { type: ownMechanism, handled }
    client.captureException(thrown, { event_id: eventId, mechanism })
  }
  for (const error of pending.splice(0)) send(error)
}

function onEarlyError(event: ErrorEvent): void {
  captureClientError(event.error ?? event.message)
}

function onEarlyRejection(event: PromiseRejectionEvent): void {
  captureClientError(event.reason)
}
