import { pathnameField, submitForm } from '#server/console/forms/forms.functions.ts'
import type { FormReply } from '#server/forms/form-views.ts'
import { appConfig } from '../../../app.config.ts'

/** The form was not sent, because it exceeds the server's limit. */
export class FormTooLargeError extends Error {}

/** Bytes of a field in a posted form in addition to its value: boundary, headers and name. */
const fieldBytes = 200

/** Sends a form to its page or action, once. Rejects with a `FormTooLargeError`. */
export async function sendForm(pathname: string, form: FormData): Promise<FormReply> {
  if (byteCountOf(form) > appConfig.formBytes) throw new FormTooLargeError()
  const signal = AbortSignal.timeout(appConfig.changeTimeoutMs)
  form.set(pathnameField, pathname)
  return submitForm({ data: form, signal })
}

function byteCountOf(form: FormData): number {
  const values = [...form.values()]
  return values.reduce((sum, value) => sum + fieldBytes + new Blob([value]).size, 0)
}
