import { Link } from '@tanstack/react-router'
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { exactCount } from '#components/ui/number-text.ts'
import { Time } from '#components/ui/time.tsx'
import type { Event } from '#protocol/event.ts'
import type { EventPosition, IssueSummary } from '#server/store/views.ts'

interface EventNavigationProps {
  event: Event
  issue: IssueSummary
  position: EventPosition
}

/** Which event this is, and the ways to its neighbours among the kept events of its issue. */
export function EventNavigation({ event, issue, position }: EventNavigationProps) {
  const { firstEventId, latestEventId, previousEventId, nextEventId } = position
  const other = (eventId: string) => (eventId === event.eventId ? undefined : eventId)
  return (
    <div className="event-navigation">
      <p>
        <span className="event-id">
          Event{' '}
          <Link to="/events/$eventId" params={{ eventId: event.eventId }}>
            <code>{event.eventId}</code>
          </Link>
          <CopyButton text={event.eventId} label="Copy the event id" />
        </span>
        <Time at={event.occurredAt} />
        {issue.keptEventCount < issue.eventCount && (
          <span>
            {exactCount(issue.keptEventCount)} of {exactCount(issue.eventCount)} events kept
          </span>
        )}
        <a href={`/events/${event.eventId}/json`} download className="event-json">
          <Download aria-hidden="true" size={14} /> JSON
        </a>
      </p>
      <nav aria-label="Events of this issue">
        <Step
          eventId={other(firstEventId)}
          name="First"
          icon={<ChevronFirst aria-hidden="true" size={14} />}
        />
        <Step
          eventId={previousEventId}
          name="Previous"
          shortcut="previous"
          icon={<ChevronLeft aria-hidden="true" size={14} />}
        />
        <Step
          eventId={nextEventId}
          name="Next"
          shortcut="next"
          icon={<ChevronRight aria-hidden="true" size={14} />}
        />
        <Step
          eventId={other(latestEventId)}
          name="Latest"
          icon={<ChevronLast aria-hidden="true" size={14} />}
        />
      </nav>
    </div>
  )
}

function Step({
  eventId,
  name,
  icon,
  shortcut,
}: {
  eventId: string | undefined
  name: string
  icon: ReactNode
  shortcut?: string
}) {
  if (eventId === undefined) {
    return (
      <span className="button" aria-disabled="true">
        {icon} {name}
      </span>
    )
  }
  return (
    <Link to="/events/$eventId" params={{ eventId }} className="button" data-shortcut={shortcut}>
      {icon} {name}
    </Link>
  )
}
