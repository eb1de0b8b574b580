import { Link } from '@tanstack/react-router'
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { CopyLinkButton } from '#components/share/copy-link-button.tsx'
import { ShareLinks } from '#components/share/share-links.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Time } from '#components/ui/time.tsx'
import type { Event } from '#protocol/event.ts'
import type { EventPosition } from '#server/store/event-views.ts'
import type { IssueSummary } from '#server/store/issue-views.ts'
import { eventPlaceText } from './event-place.ts'
import type { EventViewSearch } from './event-view-search.ts'

interface EventNavigationProps {
  event: Event
  issue: IssueSummary
  position: EventPosition
  /** How the event is shown; its neighbours are shown the same way. */
  shown: EventViewSearch
}

/** Which event this is, and the ways to its neighbours among the kept events of its issue. */
export function EventNavigation({ event, issue, position, shown }: EventNavigationProps) {
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
          <CopyLinkButton path={`/events/${event.eventId}`} />
        </span>
        <Time at={event.occurredAt} />
        <Link
          to="/issues/$issueId/events"
          params={{ issueId: issue.id }}
          search={{}}
          activeOptions={{ exact: true }}
        >
          {eventPlaceText(position, issue)}
        </Link>
        <a href={`/events/${event.eventId}/json`} download className="event-json">
          <Download aria-hidden="true" size={14} /> JSON
        </a>
        <ShareLinks eventId={event.eventId} />
      </p>
      <nav aria-label="Events of this issue">
        <Step
          shown={shown}
          eventId={other(firstEventId)}
          name="First"
          icon={<ChevronFirst aria-hidden="true" size={14} />}
        />
        <Step
          shown={shown}
          eventId={previousEventId}
          name="Previous"
          shortcut="previous"
          icon={<ChevronLeft aria-hidden="true" size={14} />}
        />
        <Step
          shown={shown}
          eventId={nextEventId}
          name="Next"
          shortcut="next"
          icon={<ChevronRight aria-hidden="true" size={14} />}
        />
        <Step
          shown={shown}
          eventId={other(latestEventId)}
          name="Latest"
          icon={<ChevronLast aria-hidden="true" size={14} />}
        />
      </nav>
    </div>
  )
}

function Step({
  shown,
  eventId,
  name,
  icon,
  shortcut,
}: {
  shown: EventViewSearch
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
    <Link
      to="/events/$eventId"
      params={{ eventId }}
      search={shown}
      className="button"
      data-shortcut={shortcut}
    >
      {icon} {name}
    </Link>
  )
}
