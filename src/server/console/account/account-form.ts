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

/** A form that a signed-in user sends about their own account. */
export interface AccountCall {
  services: Services
  viewer: Viewer
  /** The headers in which the library finds the session. */
  headers: Headers
  request: SignInRequest
}

/** Defines a form of an account page. */
export const accountForm = formsFor<AccountCall>()

/** Defines the forms of an account page. */
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

/** Returns `signed-out` if the session ends while the form is processed. */
async function whileSessionLasts(outcome: Promise<FormOutcome>): Promise<FormOutcome> {
  try {
    return await outcome
  } catch (thrown) {
    if (isSessionOver(thrown)) return { kind: 'signed-out' }
    throw thrown
  }
}

/**
 * Runs an action that requires the password in the form; rejects the form if the password is wrong, or the
 * attempt has to wait.
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

/** The rejection of a wrong password or code, or of an attempt that has to wait. */
export function rejectTry(
  result: SignInFailure,
  { field, message }: { field: string; message: string },
): FormRejection {
  return result.kind === 'wrong'
    ? reject([{ field, message }])
    : reject([{ field, message: waitText(result.waitMs) }], 429)
}
