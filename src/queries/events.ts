import { fetchDigest, fetchEvent } from '#server/console/events/events.functions.ts'
import { pageQuery } from './page-query.ts'

/** One event: settled, since an event never changes. */
export function eventQuery(eventId: string) {
  return pageQuery('settled', ['events', eventId], ({ signal }) => fetchEvent({ data: { eventId }, signal }))
}

/** The events that match a digest: live, since the event may still arrive. */
export function digestQuery(digest: string) {
  return pageQuery('live', ['digests', digest], ({ signal }) => fetchDigest({ data: { digest }, signal }))
}
