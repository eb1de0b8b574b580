import type { Accounts } from '#server/auth/accounts.ts'
import { clientAddressHeader } from '#server/auth/auth-library.ts'
import { toClientNetwork } from '#server/rate-limit/client-network.ts'
import { oidcProviderId } from '#server/store/accounts/provider-identities.ts'
import { recordUsedStep } from '#server/store/accounts/sign-in-failures.ts'
import { findUser } from '#server/store/accounts/users.ts'
import type { SignInThrottle, ThrottledName } from './throttle.ts'

/** The properties of the request with a sign-in form. */
export interface SignInRequest {
  /** The request's `Cookie` header. */
  cookie?: string
  userAgent?: string
  clientAddress?: string
}

/** The result of a sign-in attempt. `cookies` are `Set-Cookie` headers for the answer. */
export type SignInResult =
  | { kind: 'signed-in'; cookies: string[] }
  /** The password was correct; the second factor is required next. */
  | { kind: 'second-factor'; cookies: string[] }
  /** No sign-in of the browser waits for a code: it was completed, or ten minutes have passed. */
  | { kind: 'expired' }
  /** The second factor was encrypted with another secret. */
  | { kind: 'unreadable' }
  | SignInFailure

/** An attempt that was wrong, or that has to wait. */
export type SignInFailure = { kind: 'wrong' } | { kind: 'wait'; waitMs: number }

/**
 * Checks a password. Failures delay further attempts: soon for the same network, after many more for
 * everyone. A browser that has signed in to the account before is delayed only by its own failures.
 */
export async function signIn(
  accounts: Accounts,
  { email, password }: { email: string; password: string },
  request: SignInRequest,
): Promise<SignInResult> {
  const account = email.toLowerCase()
  const knownBrowsers = await accounts.knownBrowsers()
  const browserId = knownBrowsers.find(request.cookie, account)
  const names: ThrottledName[] =
    browserId === undefined
      ? [
          { rule: 'pair', text: `${account}\0${networkOf(request)}` },
          { rule: 'network', text: networkOf(request) },
          { rule: 'account', text: account },
        ]
      : [{ rule: 'pair', text: `${account}\0browser ${browserId}` }]
  return checkThrottled(accounts, { names, isWrong: isClientError }, async () => {
    const { api } = await accounts.library()
    const result = await api.signInEmail({
      body: { email: account, password },
      headers: toHeaders(request),
      returnHeaders: true,
    })
    const cookies = result.headers.getSetCookie()
    return 'twoFactorRedirect' in result.response
      ? { kind: 'second-factor', cookies }
      : { kind: 'signed-in', cookies: [...cookies, knownBrowsers.remember(account)] }
  })
}

/**
 * Checks the second factor after the password or the identity provider: six digits of the authenticator, or
 * one of the recovery codes. Each is accepted once.
 */
export async function completeSignIn(
  accounts: Accounts,
  code: string,
  request: SignInRequest,
): Promise<SignInResult> {
  const { api } = await accounts.library()
  const call = { headers: toHeaders(request), returnHeaders: true } as const
  const challenged = await api.findChallengedUser({ headers: call.headers })
  const user = challenged === null ? undefined : await findUser(accounts.store.db, challenged.userId)
  if (challenged === null || user === undefined) return { kind: 'expired' }
  if (!challenged.isReadable) return { kind: 'unreadable' }
  const names: ThrottledName[] = [
    { rule: 'code', text: user.id },
    { rule: 'network', text: networkOf(request) },
  ]
  return checkThrottled(accounts, { names, isWrong: isClientError }, async () => {
    const digits = code.replaceAll(/\s/g, '')
    const isTotp = /^\d{6}$/.test(digits)
    if (isTotp && !(await acceptTotpCode(accounts, { userId: user.id, code: digits })))
      return { kind: 'wrong' }
    const result = isTotp
      ? await api.verifyTOTP({ body: { code: digits }, ...call })
      : await api.verifyBackupCode({ body: { code: code.trim() }, ...call })
    const knownBrowsers = await accounts.knownBrowsers()
    return {
      kind: 'signed-in',
      cookies: [...result.headers.getSetCookie(), knownBrowsers.remember(user.email)],
    }
  })
}

/**
 * Accepts a code of the user's authenticator once: true if it is correct, and neither it nor a later one was
 * accepted before. Of simultaneous uses of one code, only one is accepted.
 */
export async function acceptTotpCode(
  accounts: Accounts,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const { api } = await accounts.library()
  const step = await api.findTotpStep({ body: { userId, code } })
  return step !== null && (await recordUsedStep(accounts.store, { userId, step }))
}

/** Checks a password or code of a signed-in user, with the same limits as signing in. */
export function checkWhileSignedIn<Result extends { kind: string }>(
  accounts: Accounts,
  { userId, request }: { userId: string; request: SignInRequest },
  check: () => Promise<Result>,
): Promise<Result | SignInFailure> {
  const names: ThrottledName[] = [
    { rule: 'pair', text: `signed in ${userId}` },
    { rule: 'network', text: networkOf(request) },
  ]
  return checkThrottled(accounts, { names, isWrong: isWrongPassword }, check)
}

/**
 * Counts a request for a mailed link, by the client's network and the address. Each counts, whether the
 * address has an account or not.
 */
export function admitLinkRequest(
  { throttle }: Accounts,
  email: string,
  request: SignInRequest,
): ReturnType<SignInThrottle['begin']> {
  const network = networkOf(request)
  return throttle.begin([
    { rule: 'linkPair', text: `${email}\0${network}` },
    { rule: 'linkNetwork', text: network },
  ])
}

/** 401 means that the session has expired, not that the password is wrong. */
function isWrongPassword(thrown: unknown): boolean {
  return isClientError(thrown) && findStatus(thrown) !== 401
}

/** Ends the session of a request; returns the cookies that delete it in the browser. */
export async function signOut(accounts: Accounts, cookie: string): Promise<string[]> {
  const { api } = await accounts.library()
  const result = await api.signOut({ headers: new Headers({ cookie }), returnHeaders: true })
  accounts.forgetViewers()
  return result.headers.getSetCookie()
}

/**
 * The URL at which a browser signs in at the identity provider, and the cookies to set; undefined while the
 * provider does not answer.
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

/**
 * Completes a sign-in when the identity provider redirects the browser back; undefined while the provider
 * does not answer.
 */
export async function completeOidcSignIn(
  accounts: Accounts,
  callbackUrl: string,
  request: SignInRequest,
): Promise<Response | undefined> {
  const library = await accounts.providerLibrary()
  // The library limits callbacks by the client's address, and stores the address with the session: a header
  // of the client's own must not provide it, and without one all clients would share a limit.
  return library?.handler(new Request(callbackUrl, { headers: toHeaders(request) }))
}

/** Counts an attempt, checks it, and uncounts it if it was right or could not be checked. */
async function checkThrottled<Result extends { kind: string }>(
  { throttle }: Accounts,
  { names, isWrong }: { names: ThrottledName[]; isWrong: (thrown: unknown) => boolean },
  check: () => Promise<Result>,
): Promise<Result | SignInFailure> {
  const started = await throttle.begin(names)
  if (started.kind === 'wait') return started
  try {
    const result = await check()
    if (result.kind !== 'wrong') await started.succeed()
    return result
  } catch (thrown) {
    if (isWrong(thrown)) return { kind: 'wrong' }
    await started.cancel()
    throw thrown
  }
}

/** The key under which a client is limited: its network, or empty if the platform does not provide it. */
function networkOf({ clientAddress }: SignInRequest): string {
  return clientAddress === undefined ? '' : toClientNetwork(clientAddress)
}

/** The library's error for wrong passwords, codes and expired steps: its status is a client error. */
function isClientError(thrown: unknown): boolean {
  const status = findStatus(thrown)
  return status >= 400 && status < 500
}

/** The status of the library's error; 0 for every other error. */
function findStatus(thrown: unknown): number {
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

/**
 * True if the library found no session for a cookie. Culvert caches a viewer for a few seconds, and calls the
 * library again for some operations: in between the session may have ended, in another tab or by a concurrent
 * sign-out.
 */
export function isSessionOver(thrown: unknown): boolean {
  return findStatus(thrown) === 401
}
