import { Suspense, type ReactNode } from 'react'
import { IssueHeader } from '#components/issue/detail/header.tsx'
import { EmptyState } from '#components/layout/empty-state.tsx'
import { Link } from '#components/ui/link.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { NowProvider } from '#components/ui/time/now-provider.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { IssueEventsSearch } from '#server/console/issues/issue-events.search.ts'
import type { IssueEventsView, IssueRemoval } from '#server/console/issues/views.ts'
import { EventFilters } from './event-filters.tsx'
import { EventTable } from './event-table.tsx'
import { atCursor, hasEventFilter } from './issue-events-search.ts'
import { IssuePages } from './issue-pages.tsx'

interface IssueEventsProps {
  view: IssueEventsView
  search: IssueEventsSearch
  /** Set if the issue was merged or not found while the page was open. */
  removal: IssueRemoval | undefined
  /** The notice of new events that are not shown yet. */
  notice: ReactNode
}

/** The `/issues/$issueId/events` screen: every stored event of an issue, latest first. */
export function IssueEvents({ view, search, removal, notice }: IssueEventsProps) {
  const { issue, events, tags, searchedTo, nextCursor, previousCursor } = view
  const pageOf = (cursor: string | undefined) =>
    cursor === undefined
      ? undefined
      : {
          to: '/issues/$issueId/events' as const,
          params: { issueId: issue.id },
          search: atCursor(search, cursor),
        }
  return (
    <NowProvider now={view.now}>
      <div className="issue-top">
        <IssueHeader issue={issue} removal={removal} />
        <IssuePages issueId={issue.id} current="events" />
      </div>
      <EventFilters issueId={issue.id} tags={tags} search={search} />
      <div className="new-rows" role="status">
        <Suspense>{notice}</Suspense>
      </div>
      {events.length > 0 ? (
        <EventTable events={events} />
      ) : searchedTo === undefined ? (
        <NoEvents issueId={issue.id} search={search} />
      ) : null}
      {searchedTo === undefined ? null : (
        <p className="list-note">
          Searched back to <Time at={searchedTo} />; older events are on the next page.
        </p>
      )}
      <Pagination label="Pages of events" previous={pageOf(previousCursor)} next={pageOf(nextCursor)} />
    </NowProvider>
  )
}

function NoEvents({ issueId, search }: { issueId: string; search: IssueEventsSearch }) {
  if (!hasEventFilter(search))
    return (
      <EmptyState title="No events stored">
        <p>Retention has deleted all events of this issue. Its counts remain.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="No events match">
      <p>No stored events match the filters. Older events may have been deleted; counts remain.</p>
      <Link to="/issues/$issueId/events" params={{ issueId }} search={{}} className="button">
        Clear filters
      </Link>
    </EmptyState>
  )
}
