import { EmptyState } from '#components/layout/empty-state.tsx'
import { Arrivals } from '#components/project/arrivals.tsx'
import { SetUpLink } from '#components/project/set-up-link.tsx'
import { Link } from '#components/ui/link.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { exactCount } from '#numbers/number-text.ts'
import { searchedStatuses } from '#search/term.ts'
import type { IssueListView, IssueSearch, SearchQuery, WaitingView } from '#server/console/issues/views.ts'
import { CutShortNote } from './cut-short-note.tsx'
import { changeIssueSearch, hasIssueFilter } from './search.ts'

interface EmptyStreamProps {
  view: IssueListView
  search: IssueSearch
  isUnsure: boolean
}

/** The empty state of the stream. */
export function EmptyStream({ view, search, isUnsure }: EmptyStreamProps) {
  // Read here and not in the screen: another rendering directly after hydration would remove the HTML of its
  // lazy parts.
  const isHydrated = useHydrated()
  if (view.isEmptyInstallation && isHydrated && isUnsure) return <LookingForEvents />
  if (view.isEmptyInstallation || view.waiting !== undefined) return <NoEventsYet waiting={view.waiting} />
  const isAlone = view.previousCursor === undefined && view.nextCursor === undefined
  return isAlone ? (
    <NoIssuesMatch search={search} view={view} />
  ) : (
    <NoIssuesHere cutShort={view.cutShort} search={search} />
  )
}

/** Projects without a stored event: the items they received instead, and how to send the first event. */
function NoEventsYet({ waiting }: { waiting: WaitingView | undefined }) {
  const slug = waiting?.project?.slug
  return (
    <EmptyState title={waiting?.arrivals[0] === undefined ? 'No events yet' : 'No events stored yet'}>
      <p>Point a Sentry SDK at your DSN and errors will appear here.</p>
      <Arrivals lines={waiting?.arrivals} slug={slug} />
      <SetUpLink slug={slug} />
    </EmptyState>
  )
}

/** Shown while an outdated copy of that page is reloaded, because an event may have arrived. */
function LookingForEvents() {
  return (
    <EmptyState title="Loading">
      <p role="status">The list is being loaded.</p>
    </EmptyState>
  )
}

/** A search that matches nothing. */
function NoIssuesMatch({
  search,
  view,
}: {
  search: IssueSearch
  view: Pick<IssueListView, 'query' | 'counts'>
}) {
  const { tagKeys } = view.query
  if (!hasIssueFilter(search) && search.cursor === undefined) {
    return (
      <EmptyState title="No unresolved issues">
        <p>All caught up: every issue is resolved or archived.</p>
        <Link to="/issues" search={{ status: 'all' }} className="button">
          Show all issues
        </Link>
      </EmptyState>
    )
  }
  const elsewhere = view.query.statuses === undefined && search.status !== 'all' ? countElsewhere(view) : ''
  return (
    <EmptyState title="No issues match">
      <p>
        {elsewhere === ''
          ? `Change the ${search.q === undefined ? 'filters' : 'search'}, or clear the filters.`
          : `No issues with this status match the ${search.q === undefined ? 'filters' : 'search'}.`}
      </p>
      {view.query.shortIdHint === undefined ? null : <p>{view.query.shortIdHint}</p>}
      {tagKeys.length === 0 ? null : (
        <p>
          <code>{tagKeys.join(', ')}</code> isn’t a filter, so Culvert searched for a tag. Quote text that
          contains a colon.
        </p>
      )}
      <SearchHints search={search} hints={view.query.hints} />
      <div className="empty-state-actions">
        {elsewhere === '' ? null : (
          <Link to="/issues" search={changeIssueSearch(search, { status: 'all' })} className="button">
            {`Show ${elsewhere}`}
          </Link>
        )}
        <Link to="/issues" search={{ status: 'unresolved' }} className="button">
          Clear filters
        </Link>
      </div>
    </EmptyState>
  )
}

/** Alternative searches for a text. */
function SearchHints({ search, hints }: { search: IssueSearch; hints: SearchQuery['hints'] }) {
  if (hints === undefined || hints.length === 0) return null
  return (
    <ul className="search-hints">
      {hints.map(({ text, description }) => (
        <li key={text}>
          <Link to="/issues" search={changeIssueSearch(search, { q: text })}>
            <code>{text}</code>
          </Link>{' '}
          finds issues {description}
        </li>
      ))}
    </ul>
  )
}

/** A page without issues between other pages. */
function NoIssuesHere({ cutShort, search }: { cutShort: IssueListView['cutShort']; search: IssueSearch }) {
  return cutShort === undefined ? (
    <EmptyState title="No more issues match">
      <p>No issues are left on this page.</p>
      <Link to="/issues" search={changeIssueSearch(search, {})} className="button">
        Back to the first page
      </Link>
    </EmptyState>
  ) : (
    <EmptyState title="No issues match so far">
      <CutShortNote cutShort={cutShort} />
    </EmptyState>
  )
}

/** `3 resolved and 1 archived`: the matches of the search under the other tabs; empty if there are none. */
function countElsewhere({ counts }: Pick<IssueListView, 'counts'>): string {
  return searchedStatuses
    .filter((status) => counts[status].count > 0)
    .map((status) => `${exactCount(counts[status].count)}${counts[status].isMore ? '+' : ''} ${status}`)
    .join(' and ')
}
