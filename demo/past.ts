/** An item with a time, in seconds since 1970. Spans and transactions have two. */
interface Timed {
  timestamp?: number
  start_timestamp?: number
}

/** The timestamps of an SDK's event; the types of both SDKs have them. */
interface TimedEvent extends Timed {
  breadcrumbs?: Timed[]
  spans?: Timed[]
  sdkProcessingMetadata?: Record<string, unknown>
}

/**
 * The shift between the current time and the visit's time in the demo's day (Unix milliseconds), as
 * processing metadata of the scope, which is not sent.
 */
export function shiftTo(happenedAt: number): { shiftMs: number } {
  return { shiftMs: happenedAt - Date.now() }
}

/**
 * Shifts an event or a transaction, with its breadcrumbs and spans, to the time of its visit. For
 * `beforeSend` and `beforeSendTransaction`.
 */
export function moveToPast<E extends TimedEvent>(event: E): E {
  const shiftMs = event.sdkProcessingMetadata?.['shiftMs']
  if (typeof shiftMs !== 'number') return event
  event.timestamp ??= Date.now() / 1000
  for (const timed of [event, ...(event.breadcrumbs ?? []), ...(event.spans ?? [])]) {
    if (timed.timestamp !== undefined) timed.timestamp += shiftMs / 1000
    if (timed.start_timestamp !== undefined) timed.start_timestamp += shiftMs / 1000
  }
  return event
}
