/** A place in the list of an issue's events: on which side of which event a page lies. */
export interface EventCursor {
  side: 'after' | 'before'
  /** Unix milliseconds. */
  occurredAt: number
  /** 32 lower-case hex digits; decides between events of the same millisecond. */
  eventId: string
}

/** The cursor as it stands in a URL. Opaque: its form may change, and one that no longer fits is the first page. */
export function formatEventCursor({ side, occurredAt, eventId }: EventCursor): string {
  return Buffer.from(`${side}.${occurredAt}.${eventId}`).toString('base64url')
}

/** Reads a cursor; undefined when it is damaged. */
export function parseEventCursor(text: string | undefined): EventCursor | undefined {
  if (text === undefined || text.length > 100) return undefined
  const [, side, at, eventId = ''] =
    /^(after|before)\.(\d{1,16})\.([0-9a-f]{32})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ??
    []
  const occurredAt = Number(at)
  if (side === undefined || !Number.isSafeInteger(occurredAt)) return undefined
  return { side: side === 'before' ? 'before' : 'after', occurredAt, eventId }
}
