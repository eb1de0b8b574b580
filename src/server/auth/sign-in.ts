import { oidcProviderId } from '#server/store/provider-identities.ts'
import type { Accounts } from './accounts.ts'
import { clientAddressHeader } from './library.ts'

/** What is known about the request that carries a sign-in form. */
export interface SignInRequest {
  /** The request's `Cookie` header. */
  cookie?: string
  userAgent?: string
  clientAddress?: string
}

/** What became of a try to sign in. `cookies` are `Set-Cookie` headers for the answer. */
export type SignInResult =
  | { kind: 'signed-in'; cookies: string[] }
  /** The password was right; now the second factor is asked for. */
  | { kind: 'second-factor'; cookies: string[] }
  | { kind: 'refused' }
  | { kind: 'wait'; waitMs: number }

/** Checks a password. Wrong ones cost the address and the client more and more time. */
export async function signIn(
  accounts: Accounts,
  { email, password }: { email: string; password: string },
  request: SignInRequest,
): Promise<SignInResult> {
  const name = email.toLowerCase()
  return throttled(accounts, { account: `email:${name}`, request }, async () => {
    const { api } = await accounts.library()
    const result = await api.signInEmail({
      body: { email: name, password },
      headers: toHeaders(request),
      returnHeaders: true,
    })
    const cookies = result.headers.getSetCookie()
    const needsSecondFactor = 'twoFactorRedirect' in result.response
    return { kind: needsSecondFactor ? 'second-factor' : 'signed-in', cookies }
  })
}

/** Checks the second factor after the password: six digits of the authenticator, or else one of the recovery codes. */
export async function completeSignIn(
  accounts: Accounts,
  code: string,
  request: SignInRequest,
): Promise<SignInResult> {
  return throttled(accounts, { account: undefined, request }, async () => {
    const { api } = await accounts.library()
    const call = { headers: toHeaders(request), returnHeaders: true } as const
    const digits = code.replaceAll(/\s/g, '')
    const result = /^\d{6}$/.test(digits)
      ? await api.verifyTOTP({ body: { code: digits }, ...call })
      : await api.verifyBackupCode({ body: { code: code.trim() }, ...call })
    return { kind: 'signed-in', cookies: result.headers.getSetCookie() }
  })
}

/** Ends the session that a request came with; returns the cookies that make the browser forget it. */
export async function signOut(accounts: Accounts, cookie: string): Promise<string[]> {
  const { api } = await accounts.library()
  const result = await api.signOut({ headers: new Headers({ cookie }), returnHeaders: true })
  accounts.forgetViewers()
  return result.headers.getSetCookie()
}

/**
 * Where to send a browser that wants to sign in at the identity provider, and the cookies to send along; undefined while
 * the provider does not answer.
 */
export async function startOidcSignIn(
  accounts: Accounts,
  paths: { to: string; onError: string },
): Promise<{ url: string; cookies: string[] } | undefined> {
  const library = await accounts.providerLibrary()
  if (library === undefined) return undefined
  const result = await library.api.signInSocial({
    body: { provider: oidcProviderId, callbackURL: paths.to, errorCallbackURL: paths.onError },
    headers: new Headers(),
    returnHeaders: true,
  })
  const { url } = result.response
  if (url === undefined) throw new Error('the identity provider has no address to sign in at')
  return { url, cookies: result.headers.getSetCookie() }
}

async function throttled(
  { throttle }: Accounts,
  { account, request }: { account: string | undefined; request: SignInRequest },
  attempt: () => Promise<SignInResult>,
): Promise<SignInResult> {
  const names = [account, request.clientAddress].filter((name) => name !== undefined)
  const waitMs = throttle.waitMs(names)
  if (waitMs > 0) return { kind: 'wait', waitMs }
  try {
    const result = await attempt()
    if (account !== undefined) throttle.recordSuccess(account)
    return result
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    throttle.recordFailure(names)
    return { kind: 'refused' }
  }
}

/** What the library throws for wrong passwords, codes and expired steps: its status says that the caller is to blame. */
export function isRefusal(thrown: unknown): boolean {
  const status = findStatus(thrown)
  return status >= 400 && status < 500
}

/** The status with which the library would answer what it throws; 0 for every other error. */
export function findStatus(thrown: unknown): number {
  if (!(thrown instanceof Error) || !('statusCode' in thrown)) return 0
  return typeof thrown.statusCode === 'number' ? thrown.statusCode : 0
}

function toHeaders({ cookie, userAgent, clientAddress }: SignInRequest): Headers {
  const headers = new Headers()
  if (cookie !== undefined) headers.set('cookie', cookie)
  if (userAgent !== undefined) headers.set('user-agent', userAgent)
  if (clientAddress !== undefined) headers.set(clientAddressHeader, clientAddress)
  return headers
}
