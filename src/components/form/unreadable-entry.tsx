import type { ReactNode } from 'react'
import { ConfirmedForm } from './confirmed-form.tsx'
import type { FormState } from './use-form.ts'

/** What a newer version has saved, and this version can only delete. */
export function UnreadableEntry({
  remove,
  subject,
  warning,
  isDeletable,
  children,
}: {
  remove: FormState
  /** Completes the names of the buttons. */
  subject: string
  warning: string
  isDeletable: boolean
  children: ReactNode
}) {
  return (
    <div className="unreadable-entry">
      <p className="form-problem">{children}</p>
      {isDeletable ? <ConfirmedForm form={remove} verb="Delete" subject={subject} warning={warning} /> : null}
    </div>
  )
}
