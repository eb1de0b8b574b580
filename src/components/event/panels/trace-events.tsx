import { issueLabel } from '#components/issue/issue-label.ts'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { EventReference } from '#server/store/events/records.ts'

/** Events of a trace, in any project. */
export function TraceEvents({ events }: { events: readonly EventReference[] }) {
  return (
    <ol className="trace-events">
      {events.map(({ eventId, level, type, project, occurredAt, ...issue }) => (
        <li key={eventId}>
          <LevelMark level={level} type={type} />{' '}
          <Link to="/events/$eventId" params={{ eventId }}>
            <bdi>{issueLabel(issue)}</bdi>
          </Link>
          <span className="quiet">
            {project.name} · <Time at={occurredAt} />
          </span>
        </li>
      ))}
    </ol>
  )
}
