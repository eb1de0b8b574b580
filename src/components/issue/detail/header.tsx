import type { ReactNode } from 'react'
import { personName } from '#components/issue/person-name.ts'
import { ReopenConditionText } from '#components/issue/reopen-condition-text.tsx'
import { StatusBadge } from '#components/issue/status-badge.tsx'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Link } from '#components/ui/link.tsx'
import type { IssueSummary } from '#server/store/issues/records.ts'

/** The heading of an issue: project, title, subtitle and culprit; `children` are its actions. */
export function IssueHeader({ issue, children }: { issue: IssueSummary; children?: ReactNode }) {
  return (
    <header className="issue-header">
      <nav aria-label="Breadcrumb" className="trail">
        <Link to="/issues" search={{}} activeOptions={{ exact: true }} data-shortcut="back">
          Issues
        </Link>
        <Link to="/issues" search={{ project: issue.project.slug }} activeOptions={{ exact: true }}>
          {issue.project.name}
        </Link>
        <span>{issue.shortId}</span>
      </nav>
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
        {children}
      </div>
    </header>
  )
}
