import { Form } from './form.tsx'
import type { FormState } from './use-form.ts'

/**
 * A form for a change that can’t be undone: the first press shows what is lost, the second makes the change.
 * `details`, so that it works before any script has run.
 */
export function ConfirmedForm({
  form,
  verb,
  subject,
  warning,
  group,
}: {
  form: FormState
  /** The label of both buttons. */
  verb: string
  /** Completes their accessible names, if the page has several such forms. */
  subject: string
  warning: string
  /** Opening it closes the other forms of the same group. */
  group?: string
}) {
  return (
    <details className="confirmed-form" name={group}>
      <summary className="button" aria-label={`${verb} ${subject}…`}>
        {verb}…
      </summary>
      <Form form={form} submitLabel={verb} submitName={`${verb} ${subject}`} tone="danger">
        <p className="quiet">{warning}</p>
      </Form>
    </details>
  )
}
