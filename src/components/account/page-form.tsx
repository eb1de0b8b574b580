import type { ReactNode } from 'react'
import type { FormState } from '#server/auth/views.ts'

/** A form that a page posts to itself; what is wrong with it as a whole stands above its fields. */
export function PageForm({
  form,
  action,
  submitLabel,
  children,
}: {
  form: FormState | undefined
  /** Tells several forms of one page apart. */
  action?: string
  submitLabel: string
  children: ReactNode
}) {
  const problems = form?.problems.filter(({ field }) => field === undefined) ?? []
  return (
    <form method="post" className="page-form">
      {action === undefined ? null : <input type="hidden" name="action" value={action} />}
      {problems.map(({ message }) => (
        <p key={message} className="form-problem" role="alert">
          {message}
        </p>
      ))}
      {children}
      <button type="submit" className="button" data-tone="primary">
        {submitLabel}
      </button>
    </form>
  )
}

/** What is wrong with one field of a posted form. */
export function problemOf(form: FormState | undefined, field: string): string | undefined {
  return form?.problems.find((problem) => problem.field === field)?.message
}
