import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { byteText, exactCount } from '#numbers/number-text.ts'
import type { ReleaseView } from '#server/console/releases/views.ts'

/** The source maps that were uploaded for a release, the latest first. */
export function UploadTable({ view: { release, uploads } }: { view: ReleaseView }) {
  const ofRelease = (
    <Link
      to="/projects/$slug/source-maps"
      params={{ slug: release.project.slug }}
      search={{ release: release.version }}
    >
      All files
    </Link>
  )
  return (
    <Panel id="artifacts" title="Source maps" note={ofRelease}>
      <table className="release-figures">
        <TableHead columns={['Uploaded', 'Dist', 'Files', 'Size', 'Last used']} />
        <tbody>
          {uploads.map(({ id, dist, uploadedAt, usedAt, fileCount, storedBytes }) => (
            <tr key={id}>
              <th scope="row">
                <Time at={uploadedAt} />
              </th>
              <td>{dist === undefined ? '' : <bdi>{dist}</bdi>}</td>
              <td>{exactCount(fileCount)}</td>
              <td>{byteText(storedBytes)}</td>
              <td>{usedAt === undefined ? 'never' : <Time at={usedAt} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
