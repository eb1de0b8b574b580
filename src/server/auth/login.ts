import { findClientAddress } from '#server/ingest/client-address.ts'
import type { Services } from '#server/services.ts'
import {
  findFormState,
  redirectTo,
  toLocalPath,
  type FormGate,
  type FormOutcome,
  type PostedForm,
} from './page-form.ts'
import {
  completeSignIn,
  signIn,
  signOut,
  startOidcSignIn,
  type SignInRequest,
  type SignInResult,
} from './sign-in.ts'
import type { LoginView } from './views.ts'

/** What the sign-in page shows. */
export function getLoginView({ accounts }: Services): LoginView {
  const form = findFormState()
  return {
    ...(accounts.oidcName !== undefined && { providerName: accounts.oidcName }),
    ...(form !== undefined && { form }),
  }
}

/** Answers the form of `/login`: a password, or a code after it. */
export async function postLogin(services: Services, form: PostedForm): Promise<FormOutcome> {
  const { fields, request } = form
  const to = toLocalPath(fields['to'])
  const from = toSignInRequest(request)
  if (fields['step'] === 'code') {
    const result = await completeSignIn(services.accounts, fields['code'] ?? '', from)
    return answer(result, { to, values: { step: 'code' }, refusal: wrongCode })
  }
  const email = fields['email']?.trim() ?? ''
  const result = await signIn(services.accounts, { email, password: fields['password'] ?? '' }, from)
  return answer(result, { to, values: { email }, refusal: wrongPassword })
}

/** Room for a form that checks a password or code. */
export const enterSignIn: FormGate = ({ accounts }) => Promise.resolve(accounts.signInGate.enter())

/** The same for `/login`. A browser that has signed in before finds room always: no flood of strangers keeps it out. */
export const enterLogin: FormGate = async (services, form) => {
  const knownBrowsers = await services.accounts.knownBrowsers()
  const cookie = form.request.headers.get('cookie') ?? undefined
  const email = form.fields['email']?.trim().toLowerCase() ?? ''
  const isKnown = knownBrowsers.find(cookie, email) !== undefined
  return isKnown ? () => undefined : enterSignIn(services, form)
}

/** Ends the session that the request came with. */
export async function postSignOut({ accounts }: Services, { request }: PostedForm): Promise<FormOutcome> {
  const cookies = await signOut(accounts, request.headers.get('cookie') ?? '')
  return { kind: 'go', to: '/login', cookies }
}

const wrongPassword = 'No account has this address with this password.'
const wrongCode =
  'This code is not right, or its time is over. Enter the one that your app shows now, or one of your recovery codes.'

interface Step {
  to: string
  values: Record<string, string>
  refusal: string
}

function answer(result: SignInResult, { to, values, refusal }: Step): FormOutcome {
  switch (result.kind) {
    case 'signed-in':
      return { kind: 'go', to, cookies: result.cookies }
    case 'second-factor':
      return { kind: 'go', to: `/login?step=code&to=${encodeURIComponent(to)}`, cookies: result.cookies }
    case 'wait':
      return { kind: 'again', status: 429, values, problems: [{ message: waitText(result.waitMs) }] }
    case 'refused':
      break
  }
  return { kind: 'again', status: 401, values, problems: [{ message: refusal }] }
}

/** How long to wait, for the page. */
export function waitText(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1_000)
  const minutes = Math.ceil(seconds / 60)
  const time = seconds < 120 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${minutes} minutes`
  return `There were too many wrong tries. Try again in ${time}.`
}

const providerFailed = '/login?step=provider-failed'
const providerUnavailable = `${providerFailed}&error=provider_unavailable`

/** Sends a browser to the identity provider; back to `/login` with the reason while the provider does not answer. */
export async function getProviderSignIn({ accounts, log }: Services, request: Request): Promise<Response> {
  const to = toLocalPath(new URL(request.url).searchParams.get('to') ?? undefined)
  if (accounts.oidcName === undefined) return redirectTo({ to: providerFailed })
  try {
    const started = await startOidcSignIn(accounts, { to, onError: providerFailed })
    return redirectTo(started === undefined ? { to: providerUnavailable } : { ...started, to: started.url })
  } catch (thrown) {
    log.error({ err: thrown }, 'sign-in at the identity provider failed')
    return redirectTo({ to: providerFailed })
  }
}

/** Completes a sign-in when the identity provider sends the browser back. */
export async function getProviderCallback({ accounts }: Services, request: Request): Promise<Response> {
  if (accounts.oidcName === undefined) return new Response(null, { status: 404 })
  const library = await accounts.providerLibrary()
  return library === undefined ? redirectTo({ to: providerUnavailable }) : library.handler(request)
}

/** What the library is told of a request: the address is found out as for events. */
export function toSignInRequest(request: Request): SignInRequest {
  const header = (name: string) => request.headers.get(name) ?? undefined
  const cookie = header('cookie')
  const userAgent = header('user-agent')
  const clientAddress = findClientAddress(header, peerOf(request))
  return {
    ...(cookie !== undefined && { cookie }),
    ...(userAgent !== undefined && { userAgent }),
    ...(clientAddress !== undefined && { clientAddress }),
  }
}

/** The Node front's requests know their peer; on a serverless host the platform's header is all there is. */
function peerOf(request: Request): string | undefined {
  const ip: unknown = Reflect.get(request, 'ip')
  return typeof ip === 'string' ? ip : undefined
}
