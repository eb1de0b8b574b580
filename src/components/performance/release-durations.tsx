import { Count } from '#components/ui/count.tsx'
import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import type { TransactionView } from '#server/console/performance/views.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { ChangeNote } from './change-note.tsx'
import { columnDuration, shareText } from './figure-text.ts'
import { NumberCell } from './number-cell.tsx'

/** The durations of a transaction by release, newest first, compared with the previous release. */
export function ReleaseDurations({
  releases,
  project,
}: {
  releases: TransactionView['releases']
  project: ProjectName
}) {
  if (releases.length === 0) return null
  return (
    <Panel id="releases" title="Releases">
      <table className="data-table figure-table">
        <caption className="visually-hidden">Durations by release</caption>
        <TableHead
          columns={[
            { name: 'Release', className: 'name-cell' },
            ...['Count', 'p50', 'p95', 'Failed'].map((name) => ({ name, className: 'number-cell' })),
          ]}
        />
        <tbody>
          {releases.map((release, index) => (
            <tr key={release.version}>
              <th scope="row" className="name-cell">
                <Link
                  to="/releases/$version"
                  params={{ version: release.version }}
                  search={{ project: project.slug }}
                >
                  {release.version}
                </Link>
              </th>
              <NumberCell name="in total">
                <Count value={release.count} />
              </NumberCell>
              <NumberCell name="p50">{columnDuration(release.p50)}</NumberCell>
              <NumberCell name="p95">
                {columnDuration(release.p95)}
                <ChangeNote
                  value={release.p95}
                  before={releases[index + 1]?.p95}
                  than="the previous release"
                />
              </NumberCell>
              <NumberCell name="failed">{shareText(release.failureShare)}</NumberCell>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
