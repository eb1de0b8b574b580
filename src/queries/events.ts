import { queryTimes } from '#navigation/page-kind.ts'
import { fetchDigest, fetchEvent } from '#server/console/events/events.functions.ts'
import { pageQueryFor } from './page-query.ts'

/** One event: settled, since an event never changes. */
export function eventQuery(eventId: string) {
  return { ...pageQueryFor(['events'], fetchEvent, { eventId }), ...queryTimes('settled') }
}

/** The events that match a digest: live, since the event may still arrive. */
export function digestQuery(digest: string) {
  return pageQueryFor(['digests'], fetchDigest, { digest })
}
