import { issueLabel } from '#components/issue/issue-label.ts'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { countedNoun } from '#numbers/number-text.ts'
import type { SimilarIssue } from '#server/store/issues/records.ts'

/** Similar issues of the project. Renders nothing if there are none. */
export function SimilarIssues({ issues }: { issues: readonly SimilarIssue[] }) {
  if (issues.length === 0) return null
  return (
    <Panel id="similar" title="Similar issues">
      <ul className="similar-issues">
        {issues.map((issue) => (
          <li key={issue.id} data-status={issue.status}>
            <Link to="/issues/$issueId" params={{ issueId: issue.id }}>
              <bdi>{issueLabel(issue)}</bdi>
            </Link>
            <span className="quiet">
              {issue.shortId} · {issue.status} · {countedNoun(issue.eventCount, 'event')} ·{' '}
              <Time at={issue.lastSeenAt} />
              {issue.culprit === '' ? null : (
                <>
                  {' · '}
                  <code>
                    <bdi>{issue.culprit}</bdi>
                  </code>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
