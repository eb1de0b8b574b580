import type { ReactNode, SubmitEvent } from 'react'
import { CopyButton } from '#components/ui/copy-button.tsx'

/** The properties of a form that changes something. */
export interface FormAction {
  /** Where it posts to without JavaScript. */
  url: string
  isPending: boolean
  /** The number of its failed changes; the notice line has the reason. */
  failureCount: number
  /** `onDone` runs once the server has made the change. */
  onSubmit: (event: SubmitEvent<HTMLFormElement>, onDone?: (posted: FormData) => void) => void
}

interface ActionFormProps {
  action: FormAction
  label: string
  /** Runs once the server has made the change, with the posted data. */
  onDone?: (posted: FormData) => void
  children: ReactNode
}

/** A form whose buttons make a change immediately. It works without JavaScript. */
export function ActionForm({
  action: { url, isPending, onSubmit },
  label,
  onDone,
  children,
}: ActionFormProps) {
  return (
    <form
      className="action-form"
      method="post"
      action={url}
      aria-label={label}
      aria-busy={isPending}
      onSubmit={(event) => onSubmit(event, onDone)}
    >
      {children}
    </form>
  )
}

/** The digest of an error, next to the failed action. */
export function Digest({ digest }: { digest: string | undefined }) {
  if (digest === undefined) return null
  return (
    <>
      {' '}
      <span className="action-digest">
        Digest: <code>{digest}</code>
        <CopyButton text={digest} label="Copy digest" />
      </span>
    </>
  )
}
