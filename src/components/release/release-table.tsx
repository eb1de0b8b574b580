import { NoValue } from '#components/performance/no-value.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Bars } from '#components/ui/chart/bars.tsx'
import { Count } from '#components/ui/count.tsx'
import { Link } from '#components/ui/link.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { VersionText } from '#components/ui/version-text.tsx'
import { percentText } from '#numbers/number-text.ts'
import type { ListedRelease } from '#server/console/releases/views.ts'
import type { ReleaseHealthRecord } from '#server/store/releases/records.ts'
import { CrashFree, type RatedRelease } from './crash-free.tsx'

const columns = [
  { name: 'Release', className: 'issue-cell' },
  { name: 'Sessions, 24 h', className: 'bars-cell' },
  { name: 'Adoption', className: 'count-cell health-cell' },
  { name: 'Crash-free sessions', className: 'count-cell health-cell' },
  { name: 'Crash-free users', className: 'count-cell health-cell' },
  { name: 'New issues', className: 'count-cell' },
  { name: 'Regressed', className: 'count-cell' },
  { name: 'Events', className: 'count-cell' },
  { name: 'Last event', className: 'time-cell' },
  { name: 'Date', className: 'time-cell first-seen-cell' },
]

/**
 * The releases, one per row. It becomes a list of cards on narrow screens. `isWhole`: the list has no gaps,
 * so that the next one of a project is the preceding release.
 */
export function ReleaseTable({
  releases,
  isWhole,
}: {
  releases: readonly ListedRelease[]
  isWhole: boolean
}) {
  return (
    <table className="issue-table release-table">
      <caption className="visually-hidden">Releases</caption>
      <TableHead columns={columns} />
      <tbody>
        {releases.map((release, index) => (
          <ReleaseRow
            key={`${release.project.id} ${release.version}`}
            release={release}
            previous={isWhole ? findPrevious(release, releases.slice(index + 1)) : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}

function findPrevious({ project }: ListedRelease, older: readonly ListedRelease[]): RatedRelease | undefined {
  const previous = older.find((other) => other.project.id === project.id)
  return previous?.health && { version: previous.version, crashes: previous.health }
}

function ReleaseRow({ release, previous }: { release: ListedRelease; previous: RatedRelease | undefined }) {
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
            <VersionText version={version} />
          </Link>
          {release.isArchived === true ? <Badge>archived</Badge> : null}
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
      <HealthCells health={release.health} previous={previous} />
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
        {release.lastEventAt === undefined ? <NoValue why="No events" /> : <Time at={release.lastEventAt} />}
      </td>
      <td className="time-cell first-seen-cell">
        <Time at={release.datedAt} />
      </td>
    </tr>
  )
}

function HealthCells({
  health,
  previous,
}: {
  health: ReleaseHealthRecord | undefined
  previous: RatedRelease | undefined
}) {
  if (health === undefined) {
    return (
      <>
        <td className="bars-cell">
          <NoValue why="No sessions were reported" />
        </td>
        {['adoption', 'crash-free sessions', 'crash-free users'].map((name) => (
          <td key={name} className="count-cell health-cell">
            <NoValue why="No sessions were reported" />
          </td>
        ))}
      </>
    )
  }
  const { hours24, projectSessionCount24h, userCount } = health
  const sessionCount24h = hours24.reduce((sum, count) => sum + count, 0)
  return (
    <>
      <td className="bars-cell">
        <Bars counts={hours24} label="Sessions" />
      </td>
      <td className="count-cell health-cell" data-name="adoption">
        {percentText(sessionCount24h, projectSessionCount24h)}
      </td>
      <td className="count-cell health-cell" data-name="crash-free sessions">
        <CrashFree kind="sessions" crashes={health} previous={previous} />
      </td>
      <td className="count-cell health-cell" data-name="crash-free users">
        {userCount === 0 ? (
          <NoValue why="No users reported" />
        ) : (
          <CrashFree kind="users" crashes={health} previous={previous} />
        )}
      </td>
    </>
  )
}
