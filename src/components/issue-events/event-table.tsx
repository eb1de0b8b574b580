import { LevelMark } from '#components/ui/level-mark.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import { VersionText } from '#components/ui/version-text.tsx'
import type { IssueEventRow } from '#server/console/issues/views.ts'

/** Number of shown digits of an event id: enough to distinguish the events of a page. */
const shownIdDigits = 8

/** The events of an issue, one row each. It becomes a list of cards on narrow screens. */
export function EventTable({ events }: { events: readonly IssueEventRow[] }) {
  const hasMessages = events.some(({ message }) => message !== undefined)
  const hasUrls = events.some(({ url }) => url !== undefined)
  const hasUsers = events.some(({ user }) => user !== undefined)
  const hasReleases = events.some(({ release }) => release !== undefined)
  const hasSystems = events.some(({ browser, system }) => (browser ?? system) !== undefined)
  return (
    <table className="data-table event-table">
      <caption className="visually-hidden">Events</caption>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Time</th>
          {hasMessages ? <th scope="col">Message</th> : null}
          {hasUrls ? <th scope="col">URL</th> : null}
          {hasUsers ? <th scope="col">User</th> : null}
          <th scope="col">Environment</th>
          {hasReleases ? <th scope="col">Release</th> : null}
          {hasSystems ? <th scope="col">Browser and system</th> : null}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.eventId}>
            <th scope="row">
              <LevelMark level={event.level} />{' '}
              <Link to="/events/$eventId" params={{ eventId: event.eventId }} data-row-link>
                <code title={event.eventId}>{event.eventId.slice(0, shownIdDigits)}</code>
              </Link>
            </th>
            <td className="event-time">
              <Time at={event.occurredAt} isExact />
            </td>
            {hasMessages ? <TextCell text={event.message} isWide /> : null}
            {hasUrls ? <TextCell text={event.url} isWide /> : null}
            {hasUsers ? <TextCell text={event.user} /> : null}
            <TextCell text={event.environment} />
            {hasReleases ? (
              <td>{event.release === undefined ? null : <VersionText version={event.release} />}</td>
            ) : null}
            {hasSystems ? (
              <TextCell
                text={[event.browser, event.system].filter((part) => part !== undefined).join(' · ')}
              />
            ) : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function TextCell({ text, isWide = false }: { text: string | undefined; isWide?: boolean }) {
  return (
    <td className={isWide ? 'event-text' : undefined} title={text === '' ? undefined : text}>
      <bdi>{text}</bdi>
    </td>
  )
}
