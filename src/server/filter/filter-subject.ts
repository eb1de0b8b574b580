import type { Event } from '#protocol/event.ts'
import { findHeader } from '#server/normalize/fields/request.ts'

/** What the filters read of an event. A normalized event is one; so is what `parseTransaction` makes of a transaction. */
export type FilterSubject = Pick<Event, 'type'> &
  Partial<
    Pick<
      Event,
      | 'exceptions'
      | 'message'
      | 'platform'
      | 'release'
      | 'request'
      | 'securityReport'
      | 'serverName'
      | 'transaction'
      | 'user'
    >
  >

/** What the filters know of the request that brought the event. */
export interface FilterContext {
  /** The payload as sent, parsed: what the noise rules read. Without it they are not asked. */
  raw?: unknown
  /** Of the application that sent the event: the peer, or the first address behind trusted proxies. */
  clientAddress?: string
  /** `User-Agent` of the ingest request. */
  userAgent?: string
}

/**
 * The user agent an event happened in: the one in the event's own request, since a server's SDK reports for its visitors;
 * for browser events without one, that of the ingest request (Relay copies it into the event).
 */
export function findUserAgent(subject: FilterSubject, context: FilterContext): string | undefined {
  const sent = findHeader(subject.request, 'user-agent')
  if (sent !== undefined) return sent
  return subject.platform === 'javascript' ? context.userAgent : undefined
}
