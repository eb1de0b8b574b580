import { Link } from '@tanstack/react-router'
import { issueLabel } from '#components/issue/issue-label.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { EventReference } from '#server/store/events/records.ts'

/** The trace an event belongs to, and the other events of it, in any project. */
export function TracePanel({ traceId, events }: { traceId: string; events: readonly EventReference[] }) {
  return (
    <>
      <p className="trace-id">
        <bdi className="mono">{traceId}</bdi>
        <CopyButton text={traceId} label="Copy trace ID" />
      </p>
      {events.length === 0 ? (
        <p className="quiet">No other events in this trace.</p>
      ) : (
        <ol className="trace-events">
          {events.map(({ eventId, level, project, occurredAt, ...issue }) => (
            <li key={eventId}>
              <LevelMark level={level} />{' '}
              <Link to="/events/$eventId" params={{ eventId }}>
                <bdi>{issueLabel(issue)}</bdi>
              </Link>
              <span className="quiet">
                {project.name} · <Time at={occurredAt} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
