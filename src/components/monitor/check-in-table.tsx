import { NoValue } from '#components/performance/no-value.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { TableHead } from '#components/ui/table-head.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { VersionText } from '#components/ui/version-text.tsx'
import type { CheckInRecord } from '#server/store/monitors/records.ts'
import { durationText } from './duration-text.ts'
import { statusNames, statusTones } from './status-names.ts'

const columns = [
  { name: 'Status', className: 'issue-cell' },
  { name: 'Expected', className: 'time-cell' },
  { name: 'Duration', className: 'count-cell' },
]

/** The latest check-ins of an environment, with the output of the job. */
export function CheckInTable({ checkIns }: { checkIns: readonly CheckInRecord[] }) {
  const longestMs = Math.max(1, ...checkIns.map(({ durationMs = 0 }) => durationMs))
  return (
    <table className="issue-table check-in-table">
      <caption className="visually-hidden">Check-ins, newest first</caption>
      <TableHead columns={columns} />
      <tbody>
        {checkIns.map((checkIn) => (
          <CheckInRow key={checkIn.id} checkIn={checkIn} longestMs={longestMs} />
        ))}
      </tbody>
    </table>
  )
}

function CheckInRow({ checkIn, longestMs }: { checkIn: CheckInRecord; longestMs: number }) {
  const { status, at, slotAt, durationMs, release, body } = checkIn
  return (
    <tr>
      <th scope="row" className="issue-cell">
        <div className="issue-line">
          <Badge tone={statusTones[status]}>{statusNames[status]}</Badge>
          <Time at={at} />
          {release === undefined ? null : (
            <span className="issue-subtitle">
              <VersionText version={release} />
            </span>
          )}
        </div>
        {body === undefined ? null : (
          <Disclosure summary="Output">
            <pre className="check-in-output">{body}</pre>
          </Disclosure>
        )}
      </th>
      <td className="time-cell" data-name="expected">
        {slotAt === undefined ? <NoValue why="Not expected" /> : <Time at={slotAt} />}
      </td>
      <td className="count-cell" data-name="duration">
        {durationMs === undefined ? (
          <NoValue why="Unknown" />
        ) : (
          <>
            {durationText(durationMs)}
            <meter
              className="duration-bar"
              max={longestMs}
              value={durationMs}
              aria-label="Share of the longest duration"
            />
          </>
        )}
      </td>
    </tr>
  )
}
