import { pathnameField, submitForm } from '#server/console/forms/forms.functions.ts'
import type { FormReply } from '#server/forms/form-views.ts'
import { appConfig } from '../../../app.config.ts'

/** Sends a form to its page or action, once. */
export async function sendForm(pathname: string, form: FormData): Promise<FormReply> {
  const signal = AbortSignal.timeout(appConfig.changeTimeoutMs)
  form.set(pathnameField, pathname)
  return submitForm({ data: form, signal })
}
