import type { IssueListRow } from '#server/store/views.ts'
import { IssueRow } from './issue-row.tsx'
import type { IssueSearch } from './issue-search.ts'
import { SortHeader } from './sort-header.tsx'

/** The stream of issues. It becomes a list of cards where there is no room for columns. */
export function IssueTable({
  issues,
  search,
  isSelectable = false,
}: {
  issues: readonly IssueListRow[]
  search: IssueSearch
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
            Last 24 h
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
