/** The fields of an SDK's event that say when; the types of both SDKs have them. Seconds since 1970. */
interface TimedEvent {
  timestamp?: number
  breadcrumbs?: { timestamp?: number }[]
  sdkProcessingMetadata?: Record<string, unknown>
}

/**
 * Moves an event, with its breadcrumbs, to the moment of the demo's day that its visit belongs to. For
 * `beforeSend`; the moment is in the scope's processing metadata, which is not sent.
 */
export function moveToPast<E extends TimedEvent>(event: E): E {
  const happenedAt = event.sdkProcessingMetadata?.['happenedAt']
  if (typeof happenedAt !== 'number') return event
  const shiftSeconds = happenedAt / 1000 - (event.timestamp ?? Date.now() / 1000)
  for (const breadcrumb of event.breadcrumbs ?? []) {
    if (breadcrumb.timestamp !== undefined) breadcrumb.timestamp += shiftSeconds
  }
  return { ...event, timestamp: happenedAt / 1000 }
}
