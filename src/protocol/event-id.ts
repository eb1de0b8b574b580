const dashedOrPlain = /^[0-9a-f]{32}$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const nilEventId = '0'.repeat(32)

/**
 * Reads an event id, with or without dashes and in any case, as 32 lower-case hex digits.
 *
 * Returns undefined for the nil id: an SDK that sends it has no randomness, so all its events would have one
 * id.
 */
export function parseEventId(value: unknown): string | undefined {
  if (typeof value !== 'string' || !dashedOrPlain.test(value)) return undefined
  const eventId = value.replaceAll('-', '').toLowerCase()
  return eventId === nilEventId ? undefined : eventId
}

/** True for an id of zeros, with or without dashes: well-formed, but not the id of an event. */
export function isNilEventId(value: unknown): boolean {
  return typeof value === 'string' && dashedOrPlain.test(value) && value.replaceAll('-', '') === nilEventId
}
