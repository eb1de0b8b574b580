import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { exactCount } from '#numbers/number-text.ts'
import type { ReleaseSummary } from '#server/store/releases/records.ts'

const rows = [
  { name: 'New issues', of: (release: ReleaseSummary) => release.newIssueCount },
  { name: 'Regressed issues', of: (release: ReleaseSummary) => release.regressedIssueCount },
  { name: 'Events', of: (release: ReleaseSummary) => release.eventCount },
]

/** A release compared with the preceding one. */
export function ReleaseComparison({
  release,
  previous,
}: {
  release: ReleaseSummary
  previous: ReleaseSummary
}) {
  return (
    <Panel id="comparison" title="Compared with previous release">
      <table className="release-figures">
        <TableHead columns={[{ name: 'Figure', isNameHidden: true }, 'This release', 'Previous']} />
        <tbody>
          {rows.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{exactCount(of(release))}</td>
              <td>{exactCount(of(previous))}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Release</th>
            <td>
              <bdi>{release.version}</bdi>
            </td>
            <td>
              <ReleaseLink release={previous} />
            </td>
          </tr>
          <tr>
            <th scope="row">Date</th>
            <td>
              <Time at={release.datedAt} />
            </td>
            <td>
              <Time at={previous.datedAt} />
            </td>
          </tr>
        </tbody>
      </table>
    </Panel>
  )
}

function ReleaseLink({ release: { version, project } }: { release: ReleaseSummary }) {
  return (
    <Link to="/releases/$version" params={{ version }} search={{ project: project.slug }}>
      <bdi>{version}</bdi>
    </Link>
  )
}
