import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { ComparedIssue } from '#server/store/imports/records.ts'

/** Counts of imported issues in both trackers, as of their import or the last comparison. */
export function ComparedIssues({ issues }: { issues: readonly ComparedIssue[] }) {
  return (
    <Panel id="compared" title="Compared counts" note="Largest differences first">
      <ul className="similar-issues">
        {issues.map(({ issueId, shortId, title, sourceUrl, sourceCount, ownCount }) => (
          <li key={issueId}>
            <span>
              <Link to="/issues/$issueId" params={{ issueId }}>
                {shortId}
              </Link>{' '}
              <bdi>{title}</bdi>
            </span>
            <span className="quiet">
              {sourceUrl === '' ? 'Old tracker' : <a href={sourceUrl}>Old tracker</a>}{' '}
              {exactCount(sourceCount)}, Culvert {exactCount(ownCount)}, difference{' '}
              {exactCount(Math.abs(ownCount - sourceCount))}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
