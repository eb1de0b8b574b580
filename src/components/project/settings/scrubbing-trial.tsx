import { Link } from '#components/ui/link.tsx'
import { Panel } from '#components/ui/panel.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import type { ScrubbingTrialResult } from '#server/forms/result-views.ts'

/** The values that the entered settings would remove from a stored event. */
export function ScrubbingTrialPanel({
  trial: { eventId, changes, changeCount },
}: {
  trial: ScrubbingTrialResult
}) {
  return (
    <Panel
      id="trial"
      title="Values to be scrubbed"
      note={
        <Link to="/events/$eventId" params={{ eventId }}>
          Event {eventId.slice(0, 12)}
        </Link>
      }
    >
      <p className="panel-text quiet">
        The test uses the stored event, which has already been scrubbed when it was received.
      </p>
      {changes.length === 0 ? (
        <p>No changes.</p>
      ) : (
        <div className="tried-frames" role="region" aria-label="Changes" tabIndex={0}>
          <table>
            <TableHead columns={['Field', 'Before', 'After']} />
            <tbody>
              {changes.map(({ path, before, after }) => (
                <tr key={path}>
                  <th scope="row">
                    <code dir="auto">{path}</code>
                  </th>
                  <td className="tried-text">
                    <bdi>{before}</bdi>
                  </td>
                  <td className="tried-text">
                    <bdi>{after === '' ? 'removed' : after}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {changeCount > changes.length ? (
        <p className="panel-note">and {changeCount - changes.length} more fields</p>
      ) : null}
    </Panel>
  )
}
