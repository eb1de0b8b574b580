import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import { Bars } from '#components/ui/bars.tsx'
import { Count } from '#components/ui/count.tsx'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Time } from '#components/ui/time.tsx'
import type { IssueListRow } from '#server/store/issue-list-views.ts'
import { bulkFormId } from './issue-bulk-bar.tsx'
import { NewBadge, StatusBadge } from './status-badge.tsx'

/** On the server the plain anchor that the router would make: making it costs there as much as three cells of the row. */
function IssueLink({ issueId, children }: { issueId: string; children: ReactNode }) {
  if (import.meta.env.SSR) {
    return (
      <a className="row-link" href={`/issues/${issueId}`}>
        {children}
      </a>
    )
  }
  return (
    <Link to="/issues/$issueId" params={{ issueId }} className="row-link">
      {children}
    </Link>
  )
}

/** One issue of the stream in two lines; the whole row is its link. A list that loses a row renders none of the others. */
export const IssueRow = memo(function IssueRow({
  issue,
  isStatusShown,
  isSelectable,
}: {
  issue: IssueListRow
  isStatusShown: boolean
  isSelectable: boolean
}) {
  return (
    <tr>
      {isSelectable ? (
        <td className="select-cell">
          <label className="select-box">
            <input
              type="checkbox"
              name="issueIds"
              value={issue.id}
              form={bulkFormId}
              autoComplete="off"
              aria-label={`Select ${issue.shortId}`}
            />
          </label>
        </td>
      ) : null}
      <th scope="row" className="issue-cell">
        <div className="issue-line">
          <LevelMark level={issue.level} />
          <IssueLink issueId={issue.id}>
            <bdi>{issue.title}</bdi>
          </IssueLink>
          {issue.subtitle === '' ? null : <bdi className="issue-subtitle">{issue.subtitle}</bdi>}
        </div>
        <div className="issue-line issue-meta">
          {isStatusShown || issue.isRegressed === true ? (
            <StatusBadge issue={issue} />
          ) : (
            <NewBadge issue={issue} />
          )}
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
        <Bars counts={issue.bars} label="Events" />
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
        {issue.firstRelease === undefined ? null : (
          <bdi className="first-release" title={`First seen in ${issue.firstRelease}`}>
            {issue.firstRelease}
          </bdi>
        )}
      </td>
      <td className="assignee-cell">
        {issue.assignee === undefined ? null : <bdi title={issue.assignee.name}>{issue.assignee.name}</bdi>}
      </td>
    </tr>
  )
})
