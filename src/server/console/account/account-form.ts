import {
  checkWhileSignedIn,
  isSessionOver,
  type SignInFailure,
  type SignInRequest,
} from '#server/auth/sign-in/sign-in.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import {
  definePageForms,
  type FormCall,
  type FormGate,
  type PageForms,
  type Prepared,
} from '#server/forms/define-page-forms.ts'
import type { FormRejection } from '#server/forms/form-views.ts'
import { formsFor, reject, type FormDefinition, type FormOutcome } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import { toSignInRequest, waitText } from './login.ts'

/** A form that a signed-in user sent about their own account. */
export interface AccountCall {
  services: Services
  viewer: Viewer
  /** The library finds the session by these. */
  headers: Headers
  request: SignInRequest
}

/** Defines a form of a page of one's own account. */
export const accountForm = formsFor<AccountCall>()

/** Defines the forms of such a page. */
export function accountPageForms(
  forms: Record<string, FormDefinition<AccountCall>>,
  gate?: FormGate,
): PageForms {
  const page = definePageForms(forms, {
    prepare: requireViewer,
    conclude: async ({ services }) => services.accounts.forgetViewers(),
    gate,
  })
  return { ...page, submit: (call) => whileSessionLasts(page.submit(call)) }
}

async function requireViewer({ services, viewer, request }: FormCall): Promise<Prepared<AccountCall>> {
  if (viewer === undefined) return { outcome: { kind: 'signed-out' } }
  const headers = new Headers({ cookie: request.headers.get('cookie') ?? '' })
  return { context: { services, viewer, headers, request: toSignInRequest(request) } }
}

/** Returns `signed-out` when the session ends while the form is processed. */
async function whileSessionLasts(outcome: Promise<FormOutcome>): Promise<FormOutcome> {
  try {
    return await outcome
  } catch (thrown) {
    if (isSessionOver(thrown)) return { kind: 'signed-out' }
    throw thrown
  }
}

/**
 * Does what needs the password in the form; rejects the form when the password is wrong, or it is too early
 * to check it.
 */
export async function withPassword(
  { services, viewer, request }: AccountCall,
  change: () => Promise<FormOutcome>,
): Promise<FormOutcome> {
  const result = await checkWhileSignedIn(services.accounts, { userId: viewer.userId, request }, change)
  return isSignInFailure(result)
    ? rejectTry(result, { field: 'password', message: 'Wrong password.' })
    : result
}

function isSignInFailure(result: FormOutcome | SignInFailure): result is SignInFailure {
  return result.kind === 'wrong' || result.kind === 'wait'
}

/** The rejection of a password or code that was wrong, or sent too early. */
export function rejectTry(
  result: SignInFailure,
  { field, message }: { field: string; message: string },
): FormRejection {
  return result.kind === 'wrong'
    ? reject([{ field, message }])
    : reject([{ field, message: waitText(result.waitMs) }], 429)
}
