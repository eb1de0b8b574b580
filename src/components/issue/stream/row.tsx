import { memo, type ReactNode } from 'react'
import { personName } from '#components/issue/person-name.ts'
import { StatusBadge } from '#components/issue/status-badge.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Bars } from '#components/ui/chart/bars.tsx'
import { Count } from '#components/ui/count.tsx'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { VersionText } from '#components/ui/version-text.tsx'
import { countedNoun, exactCount } from '#numbers/number-text.ts'
import type { IssueListRow } from '#server/store/issues/records.ts'
import { bulkFormId } from './bulk-bar.tsx'

function IssueLink({ issueId, children }: { issueId: string; children: ReactNode }) {
  return (
    <Link
      to="/issues/$issueId"
      params={{ issueId }}
      className="row-link"
      // Many issues share a title: the short id distinguishes them in a list of links.
      aria-labelledby={`title-${issueId} short-${issueId}`}
    >
      {children}
    </Link>
  )
}

/**
 * One issue of the stream in two lines; the whole row is its link. When a list loses a row, the other rows
 * are not rendered again.
 */
export const IssueRow = memo(function IssueRow({
  issue,
  environment,
  isNew,
  isMine,
  span,
  isTotalShown,
  isSelectable,
}: {
  issue: IssueListRow
  /** The environment to show; absent if all rows have the same. */
  environment: string | undefined
  isNew: boolean
  /** True if it is assigned to the viewer. */
  isMine: boolean
  /** The period of the bars. */
  span: string
  /** Shows the events of all time next to those of the bars. */
  isTotalShown: boolean
  isSelectable: boolean
}) {
  const { spanEventCount, eventCount } = issue
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
          <LevelMark level={issue.level} type={issue.type} />
          <IssueLink issueId={issue.id}>
            <bdi id={`title-${issue.id}`}>{issue.title}</bdi>
          </IssueLink>
          {issue.subtitle === '' ? null : <bdi className="issue-subtitle">{issue.subtitle}</bdi>}
        </div>
        <div className="issue-line issue-meta">
          <RowBadges issue={issue} isNew={isNew} isMine={isMine} />
          <span id={`short-${issue.id}`} className="issue-short-id">
            {issue.shortId}
          </span>
          <span className="issue-project">{issue.project.name}</span>
          {environment === undefined ? null : (
            <span className="issue-environment">
              <bdi>{environment}</bdi>
              {issue.environmentCount > 1 ? ` ${furtherCount(issue.environmentCount - 1)}` : null}
            </span>
          )}
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
      <td className="count-cell" data-name={`${spanEventCount === 1 ? 'event' : 'events'} in ${span}`}>
        <Count
          value={spanEventCount}
          title={`${exactCount(spanEventCount)} in ${span}, ${exactCount(eventCount)} of all time`}
        />
        {isTotalShown ? (
          <span className="count-total">
            of <Count value={eventCount} />
          </span>
        ) : null}
      </td>
      <td className="count-cell" data-name={issue.userCount === 1 ? 'user' : 'users'}>
        <UserCount issue={issue} />
      </td>
      <td className="time-cell">
        <Time at={issue.lastSeenAt} />
      </td>
      <td className="time-cell first-seen-cell">
        <Time at={issue.firstSeenAt} />
        {issue.firstRelease === undefined ? null : (
          <span className="first-release">
            <VersionText version={issue.firstRelease} title={`First seen in ${issue.firstRelease}`} />
          </span>
        )}
      </td>
      <td className="assignee-cell">
        {issue.assignee === undefined ? null : (
          <bdi title={personName(issue.assignee)}>{personName(issue.assignee)}</bdi>
        )}
      </td>
    </tr>
  )
})

/** The users of all time, and their share of the project's users if it is informative. */
function UserCount({ issue: { userCount, userSharePercent } }: { issue: IssueListRow }) {
  if (userSharePercent === undefined) return <Count value={userCount} />
  const title = `${countedNoun(userCount, 'user')}, about ${userSharePercent}% of all users with events in this project`
  return (
    <>
      <Count value={userCount} title={title} />
      <span className="count-share">
        {userSharePercent}%<span className="visually-hidden"> of the project’s users</span>
      </span>
    </>
  )
}

/** The marks of an issue, the most urgent first. */
function RowBadges({ issue, isNew, isMine }: { issue: IssueListRow; isNew: boolean; isMine: boolean }) {
  const { isRegressed, isEscalating, isUnhandled, status } = issue
  return (
    <>
      {isEscalating && status === 'unresolved' ? <Badge tone="danger">escalating</Badge> : null}
      {isRegressed || status !== 'unresolved' ? <StatusBadge issue={issue} /> : null}
      {isMine ? <Badge tone="accent">assigned to you</Badge> : null}
      {isNew ? <Badge tone="neutral">new</Badge> : null}
      {isUnhandled ? <span className="issue-unhandled">unhandled</span> : null}
    </>
  )
}

/** At most a hundred environments are counted. */
function furtherCount(count: number): string {
  return count < 99 ? `+${count}` : '+99 or more'
}
