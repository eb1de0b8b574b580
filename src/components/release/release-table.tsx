import { Link } from '@tanstack/react-router'
import { Badge } from '#components/ui/badge.tsx'
import { Count } from '#components/ui/count.tsx'
import { Time } from '#components/ui/time.tsx'
import type { ReleaseSummary } from '#server/store/release-views.ts'

/** The releases, one a row. It becomes a list of cards where there is no room for columns. */
export function ReleaseTable({ releases }: { releases: readonly ReleaseSummary[] }) {
  return (
    <table className="issue-table release-table">
      <caption className="visually-hidden">Releases</caption>
      <thead>
        <tr>
          <th scope="col" className="issue-cell">
            Release
          </th>
          <th scope="col" className="count-cell">
            New issues
          </th>
          <th scope="col" className="count-cell">
            Regressed
          </th>
          <th scope="col" className="count-cell">
            Events
          </th>
          <th scope="col" className="time-cell">
            Last event
          </th>
          <th scope="col" className="time-cell first-seen-cell">
            Date
          </th>
        </tr>
      </thead>
      <tbody>
        {releases.map((release) => (
          <ReleaseRow key={`${release.project.id} ${release.version}`} release={release} />
        ))}
      </tbody>
    </table>
  )
}

function ReleaseRow({ release }: { release: ReleaseSummary }) {
  const { version, project, environments, lastDeploy, newIssueCount, regressedIssueCount } = release
  return (
    <tr>
      <th scope="row" className="issue-cell">
        <div className="issue-line">
          <Link
            to="/releases/$version"
            params={{ version }}
            search={{ project: project.slug }}
            className="row-link"
          >
            <bdi>{version}</bdi>
          </Link>
          {lastDeploy === undefined ? null : <Badge tone="accent">{lastDeploy.environment}</Badge>}
        </div>
        <div className="issue-line release-meta">
          <span>{project.name}</span>
          {environments.length === 0 ? null : (
            <span className="release-environments">
              <bdi>{environments.join(', ')}</bdi>
            </span>
          )}
        </div>
      </th>
      <td className="count-cell" data-name="new" data-tone={newIssueCount > 0 ? 'warning' : undefined}>
        <Count value={newIssueCount} />
      </td>
      <td
        className="count-cell"
        data-name="regressed"
        data-tone={regressedIssueCount > 0 ? 'danger' : undefined}
      >
        <Count value={regressedIssueCount} />
      </td>
      <td className="count-cell" data-name={release.eventCount === 1 ? 'event' : 'events'}>
        <Count value={release.eventCount} />
      </td>
      <td className="time-cell">
        {release.lastEventAt === undefined ? 'none' : <Time at={release.lastEventAt} />}
      </td>
      <td className="time-cell first-seen-cell">
        <Time at={release.datedAt} />
      </td>
    </tr>
  )
}
