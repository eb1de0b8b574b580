import { CopyButton } from '#components/ui/copy-button.tsx'
import { Link } from '#components/ui/link.tsx'
import type { EventReference } from '#server/store/events/records.ts'
import { TraceEvents } from './trace-events.tsx'

interface TracePanelProps {
  traceId: string
  events: readonly EventReference[]
  /** The reason why none of its spans is stored. */
  note?: string
}

/** The trace of an event, and its other events, in any project. */
export function TracePanel({ traceId, events, note }: TracePanelProps) {
  return (
    <>
      <p className="trace-id">
        <Link to="/traces/$traceId" params={{ traceId }} search={{}}>
          <bdi className="mono">{traceId}</bdi>
        </Link>
        <CopyButton text={traceId} label="Copy trace ID" />
      </p>
      {note === undefined ? null : <p className="quiet">{note}</p>}
      {events.length === 0 ? (
        <p className="quiet">No other events in this trace.</p>
      ) : (
        <TraceEvents events={events} />
      )}
    </>
  )
}
