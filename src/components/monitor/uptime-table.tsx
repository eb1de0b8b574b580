import { NoValue } from '#components/performance/no-value.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Link } from '#components/ui/link.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { CheckInRecord } from '#server/store/monitors/records.ts'
import { durationText } from './duration-text.ts'
import { statusTones, uptimeNames } from './status-names.ts'

const columns = [
  { name: 'Result', className: 'issue-cell' },
  { name: 'Trace', className: 'time-cell' },
  { name: 'Duration', className: 'count-cell' },
]

/** The latest checks of an uptime monitor, with their results. */
export function UptimeTable({ checks }: { checks: readonly CheckInRecord[] }) {
  return (
    <table className="issue-table check-in-table">
      <caption className="visually-hidden">Checks, newest first</caption>
      <TableHead columns={columns} />
      <tbody>
        {checks.map(({ id, status, at, seen, traceId, durationMs }) => (
          <tr key={id}>
            <th scope="row" className="issue-cell">
              <div className="issue-line">
                <Badge tone={statusTones[status]}>{uptimeNames[status]}</Badge>
                <Time at={at} />
                <span className="issue-subtitle" title={seen?.detail}>
                  {seen?.detail ?? 'No check was made'}
                </span>
              </div>
            </th>
            <td className="time-cell" data-name="trace">
              {traceId === undefined ? (
                <NoValue why="No trace" />
              ) : (
                <Link to="/issues" search={{ q: `trace:${traceId}`, status: 'all' }} title={traceId}>
                  <code>{traceId.slice(0, 8)}</code>
                </Link>
              )}
            </td>
            <td className="count-cell" data-name="duration">
              {durationMs === undefined ? <NoValue why="Unknown" /> : durationText(durationMs)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
