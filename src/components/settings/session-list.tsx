import { Form } from '#components/form/form.tsx'
import { useForm } from '#components/form/use-form.ts'
import { Time } from '#components/ui/time/time.tsx'
import type { SessionView } from '#server/console/account/views.ts'

/** The browsers that are signed in, each with the way to end it. */
export function SessionList({ sessions }: { sessions: SessionView[] }) {
  const endOthers = useForm('end-other-sessions')
  const others = sessions.filter(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul className="session-list">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      {others.length < 2 ? null : (
        <Form form={endOthers} submitLabel="Sign out all other sessions" tone="plain" />
      )}
    </>
  )
}

function SessionRow({ session: { id, device, address, createdAt, isCurrent } }: { session: SessionView }) {
  const end = useForm('end-session', { of: { session: id } })
  return (
    <li>
      <div>
        <strong>{device}</strong>
        {address === undefined ? null : <span className="quiet">{address}</span>}
      </div>
      <span className="quiet">
        signed in <Time at={createdAt} />
      </span>
      {isCurrent ? (
        <span className="quiet">this browser</span>
      ) : (
        <Form form={end} submitLabel="Sign out" submitName={`Sign out ${device}`} tone="plain" />
      )}
    </li>
  )
}
