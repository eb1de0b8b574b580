import { issueLabel } from '#components/issue/issue-label.ts'
import { LevelMark } from '#components/ui/level-mark.tsx'
import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { EventReference } from '#server/store/events/records.ts'

/** The events that match a digest, newest first, as links. */
export function DigestMatches({ matches }: { matches: readonly EventReference[] }) {
  return (
    <ol className="matches" aria-label="Events found">
      {matches.map((match) => (
        <li key={`${match.project.id} ${match.eventId}`}>
          <div className="issue-line">
            <LevelMark level={match.level} type={match.type} />
            <Link
              to="/events/$eventId"
              params={{ eventId: match.eventId }}
              className="row-link"
              // Many events share a title: the id distinguishes them in a list of links.
              aria-label={`${issueLabel(match)} ${match.eventId}`}
            >
              <bdi>{issueLabel(match)}</bdi>
            </Link>
          </div>
          <div className="issue-line issue-meta">
            <Time at={match.occurredAt} />
            <span className="issue-project">{match.project.name}</span>
            <code className="issue-culprit">{match.eventId}</code>
          </div>
        </li>
      ))}
    </ol>
  )
}
