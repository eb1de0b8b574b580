import type { Event } from '#protocol/event.ts'
import { findHeader } from '#server/normalize/fields/request.ts'
import { isOnServer } from '#server/normalize/server-runtime.ts'

/** The fields that filters read, from a normalized event, or from `parseTransaction`. */
export type FilterSubject = Pick<Event, 'type'> &
  Partial<
    Pick<
      Event,
      | 'contexts'
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
    /** The displayed name of a transaction, if it may differ from the one that was sent. */
    shownTransaction?: string
    /** The same without the service, with which names of OpenTelemetry begin. */
    endpoint?: string
  }

/** Data of the request that contained the event. */
export interface FilterContext {
  /** The parsed payload as sent, for the noise rules, which do not run without it. */
  raw?: unknown
  /** The client's address: the peer, or the first address behind trusted proxies. */
  clientAddress?: string
  /** `User-Agent` of the ingest request. */
  userAgent?: string
}

/**
 * The user agent of an event: the one in the event's own request, because a server's SDK reports for its
 * visitors; for browser events without one, that of the ingest request (Relay copies it into the event).
 */
export function findUserAgent(subject: FilterSubject, context: FilterContext): string | undefined {
  const sent = findHeader(subject.request, 'user-agent')
  if (sent !== undefined) return sent
  const isBrowser = subject.platform === 'javascript' && !isOnServer(subject.contexts)
  return isBrowser ? context.userAgent : undefined
}
