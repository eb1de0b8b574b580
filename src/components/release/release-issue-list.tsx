import { StatusBadge } from '#components/issue/status-badge.tsx'
import { Count } from '#components/ui/count.tsx'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { IssueSummary } from '#server/store/issues/records.ts'

/** Issues of one release, each with its state and how often it happened. */
export function ReleaseIssueList({ label, issues }: { label: string; issues: readonly IssueSummary[] }) {
  return (
    <ul className="release-issues" aria-label={label}>
      {issues.map((issue) => (
        <li key={issue.id}>
          <div className="issue-line">
            <LevelMark level={issue.level} />
            <Link
              to="/issues/$issueId"
              params={{ issueId: issue.id }}
              className="row-link"
              // Many issues share a title: the short id distinguishes them in a list of links.
              aria-label={`${issue.title} ${issue.shortId}`}
            >
              <bdi>{issue.title}</bdi>
            </Link>
            {issue.subtitle === '' ? null : <bdi className="issue-subtitle">{issue.subtitle}</bdi>}
          </div>
          <StatusBadge issue={issue} />
          <span>
            <Count value={issue.eventCount} />{' '}
            <span className="quiet">{issue.eventCount === 1 ? 'event' : 'events'}</span>
          </span>
          <span className="quiet">
            <Time at={issue.lastSeenAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}
