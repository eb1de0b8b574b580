import * as v from 'valibot'
import {
  completeOidcSignIn,
  completeSignIn,
  signIn,
  signOut,
  startOidcSignIn,
  type SignInRequest,
  type SignInResult,
} from '#server/auth/sign-in/sign-in.ts'
import { readForwardedAddress } from '#server/client-address.ts'
import { definePageForms, type FormCall, type FormGate } from '#server/forms/define-page-forms.ts'
import { rawText, text } from '#server/forms/fields.ts'
import { formsFor, reject, type FormOutcome } from '#server/forms/form.ts'
import { redirectTo, toLocalPath } from '#server/forms/redirect.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#time/time-steps.ts'
import type { LoginView } from './views.ts'

/** The data of the sign-in page. */
export function getLoginView({ accounts, passwordLinkMailer }: Services): LoginView {
  return {
    providerName: accounts.oidcName,
    mailedLinkHours: passwordLinkMailer.isAvailable ? limits.mailedPasswordLinkMs / hourMs : undefined,
  }
}

const loginForm = formsFor<FormCall>()

const passwordFields = v.object({ email: text, password: rawText, to: rawText })

const enterPassword = loginForm(passwordFields, async ({ services, request, fields }) => {
  const { email, password, to } = fields
  const result = await signIn(services.accounts, { email, password }, toSignInRequest(request))
  return toOutcome(result, { to, rejection: wrongPassword })
})

const codeFields = v.object({ code: rawText, to: rawText })

const enterCode = loginForm(codeFields, async ({ services, request, fields }) => {
  const result = await completeSignIn(services.accounts, fields.code, toSignInRequest(request))
  return toOutcome(result, { to: fields.to, rejection: wrongCode })
})

/** Admits a form that checks a password or code. */
export const enterSignIn: FormGate = async ({ services }) => services.accounts.signInGate.enter()

/**
 * The same for `/login`. A browser that has signed in before is always admitted, so that a flood from other
 * clients cannot lock it out.
 */
const enterLogin: FormGate = async (call) => {
  const knownBrowsers = await call.services.accounts.knownBrowsers()
  const cookie = call.request.headers.get('cookie') ?? undefined
  const email = v.parse(text, call.fields['email']).toLowerCase()
  const isKnown = knownBrowsers.find(cookie, email) !== undefined
  return isKnown ? () => undefined : enterSignIn(call)
}

/** The forms of `/login`: a password, then possibly a code. */
export const loginForms = definePageForms(
  { password: enterPassword, code: enterCode },
  { prepare: async (call) => ({ context: call }), gate: enterLogin },
)

const endOwnSession = loginForm(v.object({ to: rawText }), async ({ services, request, fields: { to } }) => {
  const cookies = await signOut(services.accounts, request.headers.get('cookie') ?? '')
  const leadsTo = to === '' ? '/login' : toLocalPath(to)
  return { kind: 'done', leadsTo, isSignInChanged: true, cookies }
})

/** The form of the account menu, and of an invitation for another user. */
export const signOutForms = definePageForms(
  { 'sign-out': endOwnSession },
  { prepare: async (call) => ({ context: call }) },
)

const wrongPassword = 'Wrong email or password.'
const wrongCode =
  'Invalid or expired code. Enter the one that your app shows now, or one of your recovery codes.'

const unreadableFactor =
  'Your second factor cannot be decrypted, because CULVERT_SECRET has changed. Ask the operator to restore it, ' +
  'or to turn off your second factor with “culvert user disable-two-factor”.'

function toOutcome(
  result: SignInResult,
  { to: entered, rejection }: { to: string; rejection: string },
): FormOutcome {
  const to = toLocalPath(entered)
  switch (result.kind) {
    case 'signed-in':
      return { kind: 'done', leadsTo: to, isSignInChanged: true, cookies: result.cookies }
    case 'second-factor':
      return {
        kind: 'done',
        leadsTo: `/login?step=code&to=${encodeURIComponent(to)}`,
        cookies: result.cookies,
      }
    case 'expired':
      return { kind: 'done', leadsTo: `/login?step=expired&to=${encodeURIComponent(to)}` }
    case 'unreadable':
      return reject(unreadableFactor, 409)
    case 'wait':
      return reject(waitText(result.waitMs), 429)
    case 'wrong':
      break
  }
  return reject(rejection, 401)
}

/** The waiting time as text. */
export function waitText(waitMs: number, what = 'failed attempts'): string {
  const seconds = Math.ceil(waitMs / 1_000)
  const minutes = Math.ceil(seconds / 60)
  const time = seconds < 120 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${minutes} minutes`
  return `Too many ${what}. Try again in ${time}.`
}

const providerFailed = '/login?step=provider-failed'
const providerUnavailable = `${providerFailed}&error=provider_unavailable`

/**
 * Redirects a browser to the identity provider, or back to `/login` with the reason if the provider does not
 * answer.
 */
export async function getProviderSignIn({ accounts, log }: Services, request: Request): Promise<Response> {
  const to = toLocalPath(new URL(request.url).searchParams.get('to') ?? undefined)
  if (accounts.oidcName === undefined) return redirectTo(providerFailed)
  try {
    const started = await startOidcSignIn(accounts, { to, onError: providerFailed })
    return started === undefined ? redirectTo(providerUnavailable) : redirectTo(started.url, started.cookies)
  } catch (thrown) {
    log.error({ err: thrown }, 'sign-in at the identity provider failed')
    return redirectTo(providerFailed)
  }
}

/** Completes a sign-in when the identity provider redirects the browser back. */
export async function getProviderCallback({ accounts }: Services, request: Request): Promise<Response> {
  if (accounts.oidcName === undefined) return new Response(null, { status: 404 })
  const answer = await completeOidcSignIn(accounts, request.url, toSignInRequest(request))
  return answer ?? redirectTo(providerUnavailable)
}

/** The request in the form that the library needs; the entry has already resolved its forwarding headers. */
export function toSignInRequest(request: Request): SignInRequest {
  const header = (name: string) => request.headers.get(name) ?? undefined
  const cookie = header('cookie')
  const userAgent = header('user-agent')
  const clientAddress = readForwardedAddress(request.headers)
  return {
    cookie,
    userAgent,
    clientAddress,
  }
}
