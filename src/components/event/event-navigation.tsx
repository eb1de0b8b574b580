import type { ReactNode } from 'react'
import { ShareLinks } from '#components/share/share-links.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Link } from '#components/ui/link.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { Event } from '#protocol/event.ts'
import type { EventPosition } from '#server/store/events/records.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { eventPositionText } from './event-position.ts'
import type { EventViewSearch } from './event-view-search.ts'

interface EventNavigationProps {
  event: Event
  issue: IssueSummary
  position: EventPosition
  /** The view of the event; links to its neighbours keep it. */
  shown: EventViewSearch
}

/** The position of the event, and links to its neighbours among the stored events of its issue. */
export function EventNavigation({ event, issue, position, shown }: EventNavigationProps) {
  const { firstEventId, latestEventId, previousEventId, nextEventId } = position
  const other = (eventId: string) => (eventId === event.eventId ? undefined : eventId)
  return (
    <div className="event-navigation">
      <div className="event-bar">
        <span className="event-id">
          Event{' '}
          <Link to="/events/$eventId" params={{ eventId: event.eventId }} title={event.eventId}>
            <code>{event.eventId}</code>
          </Link>
          <CopyButton text={event.eventId} label="Copy event ID" />
          <CopyButton text={`/events/${event.eventId}`} label="Copy link" isPath />
        </span>
        <Time at={event.occurredAt} />
        <Link
          to="/issues/$issueId/events"
          params={{ issueId: issue.id }}
          search={{}}
          activeOptions={{ exact: true }}
        >
          {eventPositionText(position, issue)}
        </Link>
        <Menu label="Export" icon={<Icon name="chevron-down" />}>
          <ShareLinks eventId={event.eventId} />
        </Menu>
      </div>
      <nav aria-label="Events of this issue">
        <Step
          shown={shown}
          eventId={other(firstEventId)}
          name="First"
          isNameShown={false}
          icon={<Icon name="chevron-first" />}
        />
        <Step
          shown={shown}
          eventId={previousEventId}
          name="Previous"
          shortcut="previous"
          icon={<Icon name="chevron-left" />}
        />
        <Step
          shown={shown}
          eventId={nextEventId}
          name="Next"
          shortcut="next"
          icon={<Icon name="chevron-right" />}
        />
        <Step
          shown={shown}
          eventId={other(latestEventId)}
          name="Latest"
          isNameShown={false}
          icon={<Icon name="chevron-last" />}
        />
      </nav>
    </div>
  )
}

interface StepProps {
  shown: EventViewSearch
  eventId: string | undefined
  name: string
  isNameShown?: boolean
  icon: ReactNode
  shortcut?: string
}

function Step({ shown, eventId, name, isNameShown = true, icon, shortcut }: StepProps) {
  const content = (
    <>
      {icon} <span className={isNameShown ? undefined : 'visually-hidden'}>{name}</span>
    </>
  )
  const title = isNameShown ? undefined : name
  if (eventId === undefined) {
    return (
      <span className="button" aria-disabled="true" title={title}>
        {content}
      </span>
    )
  }
  return (
    <Link
      to="/events/$eventId"
      params={{ eventId }}
      search={shown}
      className="button"
      title={title}
      data-shortcut={shortcut}
    >
      {content}
    </Link>
  )
}
