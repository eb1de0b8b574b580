import { Link } from '@tanstack/react-router'
import { Bars } from '#components/ui/bars.tsx'
import { Count } from '#components/ui/count.tsx'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Time } from '#components/ui/time.tsx'
import type { IssueListRow } from '#server/store/views.ts'
import { StatusBadge } from './status-badge.tsx'

/** One issue of the stream in two lines; the whole row is its link. */
export function IssueRow({ issue, isStatusShown }: { issue: IssueListRow; isStatusShown: boolean }) {
  return (
    <tr>
      <th scope="row" className="issue-cell">
        <div className="issue-line">
          <LevelMark level={issue.level} />
          <Link to="/issues/$issueId" params={{ issueId: issue.id }} className="row-link">
            <bdi>{issue.title}</bdi>
          </Link>
          {issue.subtitle === '' ? null : <bdi className="issue-subtitle">{issue.subtitle}</bdi>}
        </div>
        <div className="issue-line issue-meta">
          {isStatusShown || issue.isRegressed === true ? <StatusBadge issue={issue} /> : null}
          <span className="issue-short-id">{issue.shortId}</span>
          <span className="issue-project">{issue.project.name}</span>
          {issue.culprit === '' ? null : (
            <code className="issue-culprit">
              <bdi>{issue.culprit}</bdi>
            </code>
          )}
        </div>
      </th>
      <td className="bars-cell">
        <Bars counts={issue.hours24} label="Events" />
      </td>
      <td className="count-cell" data-name={issue.eventCount === 1 ? 'event' : 'events'}>
        <Count value={issue.eventCount} />
      </td>
      <td className="count-cell" data-name={issue.userCount === 1 ? 'user' : 'users'}>
        <Count value={issue.userCount} />
      </td>
      <td className="time-cell">
        <Time at={issue.lastSeenAt} />
      </td>
      <td className="time-cell first-seen-cell">
        <Time at={issue.firstSeenAt} />
      </td>
    </tr>
  )
}
