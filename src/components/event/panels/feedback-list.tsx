import { Link } from '#components/ui/link.tsx'
import { Time } from '#components/ui/time/time.tsx'
import type { StoredFeedback } from '#server/store/events/records.ts'

/** Feedback about an event, as plain text. */
export function FeedbackList({ feedback }: { feedback: readonly StoredFeedback[] }) {
  return (
    <ul className="feedback-list">
      {feedback.map(({ eventId, receivedAt, name, email, message }) => (
        <li key={eventId}>
          <p className="feedback-text" dir="auto">
            {message}
          </p>
          <p className="quiet">
            {[name, email]
              .filter((part) => part !== '')
              .map((part) => (
                <bdi key={part}>{part}</bdi>
              ))}
            <Time at={receivedAt} />
            <Link to="/events/$eventId" params={{ eventId }}>
              View feedback event
            </Link>
          </p>
        </li>
      ))}
    </ul>
  )
}
