import { Badge } from '#components/ui/badge.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { byteText, exactCount } from '#numbers/number-text.ts'
import type { ProjectSpaceFigures } from '#server/console/settings/views.ts'

/** The size of each project in the database, and which of them lose data first. */
export function SpacePanel({ spaces: { shareBytes, projects } }: { spaces: ProjectSpaceFigures }) {
  return (
    <Panel id="project-sizes" title="By project" note={`Equal share: ${byteText(shareBytes)}`}>
      <p className="quiet">
        When the limit is reached, the largest projects delete their oldest data first, down to an equal
        share. Projects below their share keep their data.
      </p>
      <table className="release-figures size-figures">
        <TableHead columns={['Project', 'Stored events', 'Size']} />
        <tbody>
          {projects.map(({ project, eventCount, bytes }) => (
            <tr key={project.id}>
              <th scope="row">
                {project.name} {bytes > shareBytes && <Badge tone="warning">over its share</Badge>}
              </th>
              <td>{exactCount(eventCount)}</td>
              <td>{byteText(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
