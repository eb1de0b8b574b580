import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchDigest, fetchEvent } from '#server/console/events/events.functions.ts'

/** One event: settled, since an event never changes. */
export function eventQuery(eventId: string) {
  return queryOptions({
    queryKey: ['events', eventId],
    queryFn: ({ signal }) => fetchEvent({ data: { eventId }, signal }),
    ...queryTimes('settled'),
  })
}

/** The events that match a digest: live, since the event may still arrive. */
export function digestQuery(digest: string) {
  return queryOptions({
    queryKey: ['digests', digest],
    queryFn: ({ signal }) => fetchDigest({ data: { digest }, signal }),
    ...queryTimes('live'),
  })
}
