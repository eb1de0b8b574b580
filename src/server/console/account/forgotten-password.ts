import * as v from 'valibot'
import { parseEmail } from '#server/auth/new-accounts.ts'
import { admitLinkRequest } from '#server/auth/sign-in/sign-in.ts'
import { definePageForms, type FormCall } from '#server/forms/define-page-forms.ts'
import { text } from '#server/forms/fields.ts'
import { formsFor, reject } from '#server/forms/form.ts'
import { toSignInRequest, waitText } from './login.ts'

/** Answers all addresses equally, so that the answer does not tell which ones have an account. */
const requestLink = formsFor<FormCall>()(v.object({ email: text }), async ({ services, request, fields }) => {
  const { passwordLinkMailer, accounts } = services
  if (!passwordLinkMailer.isAvailable) return reject(noMailText, 404)
  const email = parseEmail(fields.email)
  if (email === undefined)
    return reject([{ field: 'email', message: 'Enter an email address, like ada@example.com.' }])
  const admitted = await admitLinkRequest(accounts, email, toSignInRequest(request))
  if (admitted.kind === 'wait') return reject(waitText(admitted.waitMs, 'requests'), 429)
  passwordLinkMailer.request(email)
  return { kind: 'done', leadsTo: '/login?step=link-sent' }
})

const noMailText = 'This server sends no mail. Ask its operator for a link to set a new password.'

/** The form of `/forgot-password`: requests a mail with a link. */
export const forgottenPasswordForms = definePageForms(
  { send: requestLink },
  { prepare: async (call) => ({ context: call }) },
)
