import { Link } from '@tanstack/react-router'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Time } from '#components/ui/time.tsx'
import type { EventReference } from '#server/store/views.ts'

/** The events that a digest names, newest first. */
export function DigestMatches({ matches }: { matches: readonly EventReference[] }) {
  return (
    <table className="match-table">
      <caption className="visually-hidden">Events found</caption>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col">Project</th>
          <th scope="col" className="time-cell">
            Happened
          </th>
        </tr>
      </thead>
      <tbody>
        {matches.map((match) => (
          <tr key={`${match.project.id} ${match.eventId}`}>
            <th scope="row">
              <LevelMark level={match.level} />
              <Link to="/events/$eventId" params={{ eventId: match.eventId }} className="row-link">
                <bdi>{match.title}</bdi>
              </Link>
              <code className="match-id">{match.eventId}</code>
            </th>
            <td>{match.project.name}</td>
            <td className="time-cell">
              <Time at={match.occurredAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
