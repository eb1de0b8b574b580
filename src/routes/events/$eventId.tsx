import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { EventDetail } from '#components/event/event-detail.tsx'
import { loadPageData } from '#navigation/load-page-data.ts'
import { routeTimes } from '#navigation/page-kind.ts'
import { eventQuery } from '#queries/events.ts'
import { useLiveEvent } from '#queries/issues/use-live-issue.ts'
import { useIssueActions } from '#routes/-frame/issue-actions.tsx'
import { pageHead } from '#routes/-frame/page-title.ts'
import { eventViewSearch } from '#server/console/events/view.search.ts'

export const Route = createFileRoute('/events/$eventId')({
  validateSearch: eventViewSearch,
  loader: (load) => loadPageData(load, eventQuery(load.params.eventId)),
  ...routeTimes('settled'),
  head: (page) => pageHead(page.loaderData?.issue.title ?? 'Event', page),
  component: EventScreen,
})

function EventScreen() {
  const { eventId } = Route.useParams()
  const shown = Route.useSearch()
  const { data } = useSuspenseQuery(eventQuery(eventId))
  const removal = useLiveEvent(eventId)
  return <EventDetail view={data} removal={removal} shown={shown} actions={useIssueActions()} />
}
