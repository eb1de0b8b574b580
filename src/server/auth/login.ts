import { findClientAddress } from '#server/ingest/client-address.ts'
import type { Services } from '#server/services.ts'
import { findFormState, redirectTo, toLocalPath, type FormOutcome, type PostedForm } from './page-form.ts'
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

function waitText(waitMs: number): string {
  const seconds = Math.ceil(waitMs / 1_000)
  return `There were too many wrong tries. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
}

/** Sends a browser to the identity provider; back to `/login`, which says so, when the provider cannot be asked. */
export async function getProviderSignIn({ accounts, log }: Services, request: Request): Promise<Response> {
  const to = toLocalPath(new URL(request.url).searchParams.get('to') ?? undefined)
  const failed = '/login?step=provider-failed'
  if (accounts.oidcName === undefined) return redirectTo({ to: failed })
  try {
    const { url, cookies } = await startOidcSignIn(accounts, { to, onError: failed })
    return redirectTo({ to: url, cookies })
  } catch (thrown) {
    log.error({ err: thrown }, 'the identity provider could not be asked')
    return redirectTo({ to: failed })
  }
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
