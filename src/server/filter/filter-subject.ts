import type { Event } from '#protocol/event.ts'
import { findHeader } from '#server/normalize/fields/request.ts'

/** The fields that filters read. A normalized event is a subject; so is the result of `parseTransaction`. */
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
  > & {
    /** The name by which screens show a transaction, where it may differ from the one that was sent. */
    shownTransaction?: string
  }

/** Data of the request that contained the event. */
export interface FilterContext {
  /** The parsed payload as sent, for the noise rules. Without it they do not run. */
  raw?: unknown
  /** Of the application that sent the event: the peer, or the first address behind trusted proxies. */
  clientAddress?: string
  /** `User-Agent` of the ingest request. */
  userAgent?: string
}

/**
 * The user agent an event happened in: the one in the event's own request, since a server's SDK reports for
 * its visitors; for browser events without one, that of the ingest request (Relay copies it into the event).
 */
export function findUserAgent(subject: FilterSubject, context: FilterContext): string | undefined {
  const sent = findHeader(subject.request, 'user-agent')
  if (sent !== undefined) return sent
  return subject.platform === 'javascript' ? context.userAgent : undefined
}
