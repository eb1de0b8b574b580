import { Link } from '@tanstack/react-router'
import type { IssueListRow } from '#server/store/issue-list-views.ts'
import type { BarSpan } from '#server/store/issue-views.ts'
import { IssueRow } from './issue-row.tsx'
import { changeIssueSearch } from './issue-search.ts'
import type { IssueSearch } from './issue-search.ts'
import { SortHeader } from './sort-header.tsx'

/** The stream of issues. It becomes a list of cards where there is no room for columns. */
export function IssueTable({
  issues,
  search,
  bars,
  isSelectable = false,
}: {
  issues: readonly IssueListRow[]
  search: IssueSearch
  bars: BarSpan
  /** Each row has a box that belongs to the form of the bulk bar. */
  isSelectable?: boolean
}) {
  return (
    <table className="issue-table">
      <caption className="visually-hidden">Issues</caption>
      <thead>
        <tr>
          {isSelectable ? (
            <th scope="col" className="select-cell">
              <span className="visually-hidden">Selected</span>
            </th>
          ) : null}
          <th scope="col" className="issue-cell">
            Issue
          </th>
          <th scope="col" className="bars-cell">
            <BarSpanLink search={search} bars={bars} />
          </th>
          <SortHeader sort="events" search={search} className="count-cell">
            Events
          </SortHeader>
          <SortHeader sort="users" search={search} className="count-cell">
            Users
          </SortHeader>
          <SortHeader sort="last_seen" search={search} className="time-cell">
            Last seen
          </SortHeader>
          <SortHeader sort="first_seen" search={search} className="time-cell first-seen-cell">
            First seen
          </SortHeader>
          <th scope="col" className="assignee-cell">
            Assignee
          </th>
        </tr>
      </thead>
      <tbody>
        {issues.map((issue) => (
          <IssueRow
            key={issue.id}
            issue={issue}
            isStatusShown={search.status === 'all'}
            isSelectable={isSelectable}
          />
        ))}
      </tbody>
    </table>
  )
}

/** What the bars span, as a link to the other choice. */
function BarSpanLink({ search, bars }: { search: IssueSearch; bars: BarSpan }) {
  const other = bars === '24h' ? '14d' : '24h'
  return (
    <Link
      to="/issues"
      search={changeIssueSearch(search, { bars: other })}
      activeOptions={{ exact: true }}
      title={`Show ${spanNames[other].toLowerCase()}`}
    >
      {spanNames[bars]}
    </Link>
  )
}

const spanNames: Record<BarSpan, string> = { '24h': 'Last 24 h', '14d': 'Last 14 d' }
