import { LinkTabs } from '#components/ui/link-tabs.tsx'
import { Link } from '#components/ui/link.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { IssueListView, IssueSearch } from '#server/console/issues/views.ts'
import type { StatusCount } from '#server/store/issues/records.ts'
import { changeIssueSearch, defaultIssueStatus, issueStatusNames, type IssueStatusFilter } from './search.ts'

const statuses: readonly IssueStatusFilter[] = ['unresolved', 'resolved', 'archived', 'all']

/**
 * The statuses as links, with the number of matches in each; the other filters are kept. Statuses in the
 * search text are removed.
 */
export function IssueStatusTabs({
  search,
  view: { query, counts },
}: {
  search: IssueSearch
  view: Pick<IssueListView, 'query' | 'counts'>
}) {
  const current = currentStatus(search, query.statuses)
  return (
    <LinkTabs label="Status">
      {statuses.map((status) => (
        <Link
          key={status}
          to="/issues"
          search={changeIssueSearch(search, { status, q: query.withoutStatuses })}
          activeOptions={{ exact: true }}
          aria-current={status === current ? 'page' : undefined}
        >
          {issueStatusNames[status]}
          <span className="tab-count">{countText(status === 'all' ? sumOf(counts) : counts[status])}</span>
        </Link>
      ))}
    </LinkTabs>
  )
}

/** The tab of the shown list; none if the search text has several statuses. */
function currentStatus(
  search: IssueSearch,
  searched: readonly IssueStatusFilter[] | undefined,
): IssueStatusFilter | undefined {
  if (searched === undefined) return search.status ?? defaultIssueStatus
  const [only, second] = searched
  return second === undefined ? only : undefined
}

function sumOf({ unresolved, resolved, archived }: IssueListView['counts']): StatusCount {
  const all = [unresolved, resolved, archived]
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    isMore: all.some(({ isMore }) => isMore),
  }
}

function countText({ count, isMore }: StatusCount): string {
  return `${exactCount(count)}${isMore ? '+' : ''}`
}
