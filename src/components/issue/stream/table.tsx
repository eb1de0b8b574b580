import { Link } from '#components/ui/link.tsx'
import { useClock } from '#components/ui/time/now-provider.tsx'
import type { IssueSearch } from '#server/console/issues/views.ts'
import type { BarSpan, IssueListRow } from '#server/store/issues/records.ts'
import { hourMs } from '#time/time-steps.ts'
import { MissingRows, useLaterRows } from './later-rows.tsx'
import { IssueRow } from './row.tsx'
import { changeIssueSearch } from './search.ts'
import { SortHeader } from './sort-header.tsx'

/** Maximum age of an issue that is marked as new. */
const newIssueMs = hourMs

export interface IssueTableProps {
  issues: readonly IssueListRow[]
  search: IssueSearch
  bars: BarSpan
  /** The user whose issues are marked. */
  viewerId: string
  /** Each row has a checkbox that belongs to the form of the bulk bar. */
  isSelectable?: boolean
}

/** The stream of issues. It becomes a list of cards on narrow screens. */
export function IssueTable({ issues, search, bars, viewerId, isSelectable = false }: IssueTableProps) {
  const now = useClock()?.now ?? 0
  const isNew = ({ firstSeenAt }: IssueListRow) => now - firstSeenAt < newIssueMs
  // Otherwise most rows would be marked.
  const isNewShown = issues.filter(isNew).length * 2 <= issues.length
  const { range, rows } = useLaterRows(JSON.stringify(search), issues.length)
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
          <SortHeader sort="events" search={search} className="count-cell" title="Sort by total events">
            {`Events ${spanTexts[bars]}`}
          </SortHeader>
          <SortHeader sort="users" search={search} className="count-cell" title="All time">
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
      <tbody ref={rows}>
        <MissingRows count={range.from} />
        {issues.slice(range.from, range.to).map((issue) => (
          <IssueRow
            key={issue.id}
            issue={issue}
            isNew={isNewShown && isNew(issue)}
            isMine={issue.assignee?.userId === viewerId}
            span={spanTexts[bars]}
            isTotalShown={search.sort === 'events'}
            environment={search.environment === undefined ? issue.environment : undefined}
            isSelectable={isSelectable}
          />
        ))}
        <MissingRows count={issues.length - range.to} />
      </tbody>
    </table>
  )
}

/** The period of the bars, as a link to the other period. */
function BarSpanLink({ search, bars }: { search: IssueSearch; bars: BarSpan }) {
  const other = bars === '24h' ? '14d' : '24h'
  return (
    <Link
      to="/issues"
      search={changeIssueSearch(search, { bars: other })}
      activeOptions={{ exact: true }}
      title={`Show last ${spanTexts[other]}`}
    >
      {`Last ${spanTexts[bars]}`}
    </Link>
  )
}

const spanTexts: Record<BarSpan, string> = { '24h': '24 h', '14d': '14 d' }
