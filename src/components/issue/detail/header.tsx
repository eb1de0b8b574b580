import type { ReactNode } from 'react'
import { IssueRemovalNotice } from '#components/issue/issue-removal-notice.tsx'
import { personName } from '#components/issue/person-name.ts'
import { ReopenConditionText } from '#components/issue/reopen-condition-text.tsx'
import { StatusBadge } from '#components/issue/status-badge.tsx'
import { Trail } from '#components/layout/trail.tsx'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Link } from '#components/ui/link.tsx'
import type { IssueRemoval } from '#server/console/issues/views.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'

interface IssueHeaderProps {
  issue: IssueSummary
  /** Set if the issue was merged or not found while the page was open. Then it has no actions. */
  removal?: IssueRemoval | undefined
  /** Its actions. */
  children?: ReactNode
}

/** The heading of an issue: project, title, subtitle and culprit. */
export function IssueHeader({ issue, removal, children }: IssueHeaderProps) {
  return (
    <header className="issue-header">
      <Trail>
        <Link to="/issues" search={{}} activeOptions={{ exact: true }} data-shortcut="back">
          Issues
        </Link>
        <Link to="/issues" search={{ project: issue.project.slug }} activeOptions={{ exact: true }}>
          {issue.project.name}
        </Link>
        <span>{issue.shortId}</span>
      </Trail>
      <div className="issue-header-title">
        <h1 title={issue.title}>
          <bdi>{issue.title}</bdi>
        </h1>
        {issue.subtitle === '' ? null : (
          <p title={issue.subtitle}>
            <bdi>{issue.subtitle}</bdi>
          </p>
        )}
      </div>
      <div className="issue-header-line">
        <p className="issue-header-marks">
          <LevelMark level={issue.level} type={issue.type} isNamed />
          <StatusBadge issue={issue} />
          {issue.reopenCondition === undefined ? null : (
            <span>
              <ReopenConditionText condition={issue.reopenCondition} />
            </span>
          )}
          {issue.assignee === undefined ? null : (
            <span>
              Assigned to <bdi>{personName(issue.assignee)}</bdi>
            </span>
          )}
          {issue.culprit === '' ? null : (
            <code title={issue.culprit}>
              <bdi>{issue.culprit}</bdi>
            </code>
          )}
        </p>
        {removal === undefined ? children : null}
      </div>
      <IssueRemovalNotice removal={removal} />
    </header>
  )
}
