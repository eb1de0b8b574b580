import { Time } from '#components/ui/time.tsx'
import type { SessionView } from '#server/auth/views.ts'

/** The browsers that are signed in, each with the way to end it. */
export function SessionList({ sessions }: { sessions: SessionView[] }) {
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul className="session-list">
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{session.device}</strong>
              {session.address === undefined ? null : <span className="quiet">{session.address}</span>}
            </div>
            <span className="quiet">
              signed in <Time at={session.createdAt} />
            </span>
            {session.isCurrent ? (
              <span className="quiet">this browser</span>
            ) : (
              <form method="post">
                <input type="hidden" name="action" value="end-session" />
                <input type="hidden" name="session" value={session.id} />
                <button type="submit" className="button" aria-label={`End the session of ${session.device}`}>
                  End
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {others.length < 2 ? null : (
        <form method="post">
          <input type="hidden" name="action" value="end-other-sessions" />
          <button type="submit" className="button">
            End all other sessions
          </button>
        </form>
      )}
    </>
  )
}
