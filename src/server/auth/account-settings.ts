import { encode } from 'uqr'
import { limits } from '#server/limits.ts'
import { userAgentContexts } from '#server/normalize/user-agent.ts'
import type { Services } from '#server/services.ts'
import { deleteApiTokens, listApiTokens } from '#server/store/api-tokens.ts'
import { renameUser, setShortcuts } from '#server/store/users.ts'
import { toSignInRequest, waitText } from './login.ts'
import { parsePassword } from './new-accounts.ts'
import { findFormState, type FormOutcome, type FormRefusal, type PostedForm } from './page-form.ts'
import { checkWhileSignedIn, acceptTotpCode, type SignInRefusal, type SignInRequest } from './sign-in.ts'
import { mayConfigure, type Viewer } from './viewer.ts'
import type { AccountSettingsView, SessionView, TwoFactorSetup } from './views.ts'
import { isSessionOver } from './while-signed-in.ts'

/** What the settings of one's own account show. */
export async function getAccountSettings(
  { accounts, clock, store }: Services,
  viewer: Viewer,
  cookie: string,
): Promise<AccountSettingsView> {
  const { api } = await accounts.library()
  const headers = new Headers({ cookie })
  const sessions = await api.listSessions({ headers })
  const credentials = await api.listUserAccounts({ headers })
  const form = findFormState()
  return {
    now: clock(),
    name: viewer.name,
    email: viewer.email,
    hasTwoFactor: viewer.hasTwoFactor,
    hasShortcuts: viewer.hasShortcuts,
    hasPassword: credentials.some(({ providerId }) => providerId === 'credential'),
    tokenCount: (await listApiTokens(store.db, viewer.userId)).length,
    memberships: viewer.memberships.map(({ organizationSlug, organizationName, role }) => ({
      organizationSlug,
      organizationName,
      role,
    })),
    mayConfigure: mayConfigure(viewer),
    sessions: sessions.map(({ id, token, userAgent, ipAddress, createdAt, updatedAt }): SessionView => {
      const session = {
        id,
        isCurrent: token === viewer.sessionToken,
        device: toDeviceText(userAgent ?? ''),
        createdAt: createdAt.getTime(),
        usedAt: updatedAt.getTime(),
      }
      return ipAddress ? Object.assign(session, { address: ipAddress }) : session
    }),
    ...(form !== undefined && { form }),
  }
}

/** What a signed-in user posted, and as whom. */
interface AccountForm {
  services: Services
  viewer: Viewer
  fields: Record<string, string>
  headers: Headers
  request: SignInRequest
}

type Action = (form: AccountForm) => Promise<FormOutcome>

const actions: Record<string, Action> = {
  rename,
  shortcuts: switchShortcuts,
  'change-password': changePassword,
  'start-two-factor': startTwoFactor,
  'confirm-two-factor': confirmTwoFactor,
  'stop-two-factor': stopTwoFactor,
  'end-session': endSession,
  'end-other-sessions': endOtherSessions,
}

/** Answers a form of `/settings`. */
export async function postAccountSettings(
  services: Services,
  { request, fields }: PostedForm,
): Promise<FormOutcome> {
  const viewer = await services.accounts.findViewer(request.headers)
  if (viewer === undefined) return signInFirst
  const name = fields['action'] ?? ''
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined) return { kind: 'go', to: '/settings' }
  const headers = new Headers({ cookie: request.headers.get('cookie') ?? '' })
  try {
    const outcome = await action({ services, viewer, fields, headers, request: toSignInRequest(request) })
    services.accounts.forgetViewers()
    return outcome
  } catch (thrown) {
    if (isSessionOver(thrown)) return signInFirst
    throw thrown
  }
}

/** What is wrong with a try that was not right; `field` of the form that `action` names. */
function refuseTry(
  result: SignInRefusal,
  { action, field, text }: Record<'action' | 'field' | 'text', string>,
) {
  return result.kind === 'refused'
    ? refused(action, field, text)
    : { ...refused(action, field, waitText(result.waitMs)), status: 429 as const }
}

/** Does what needs the password in the form, or answers with what is wrong with that. */
async function withPassword(
  { services, viewer, fields, request }: AccountForm,
  change: (password: string) => Promise<FormOutcome>,
): Promise<FormOutcome> {
  const { userId } = viewer
  const result = await checkWhileSignedIn(services.accounts, { userId, request }, () =>
    change(fields['password'] ?? ''),
  )
  if (result.kind === 'go' || result.kind === 'again') return result
  const action = fields['action'] ?? ''
  return refuseTry(result, { action, field: 'password', text: 'This is not your password.' })
}

async function rename({ services, viewer, fields }: AccountForm): Promise<FormOutcome> {
  const name = fields['name']?.trim().slice(0, limits.nameCharacters) ?? ''
  if (name === '') return refused('rename', 'name', 'Enter the name that others shall see.')
  await renameUser(services.store, { userId: viewer.userId, name })
  return done
}

async function switchShortcuts({ services, viewer, fields }: AccountForm): Promise<FormOutcome> {
  await setShortcuts(services.store, { userId: viewer.userId, isOn: fields['shortcuts'] === 'on' })
  return { kind: 'go', to: '/settings?done=shortcuts' }
}

async function changePassword(form: AccountForm): Promise<FormOutcome> {
  const { services, viewer, fields, headers } = form
  const parsed = parsePassword(fields['newPassword'])
  if (!parsed.ok) return refused('change-password', 'newPassword', parsed.problem)
  return withPassword(form, async (currentPassword) => {
    const { api } = await services.accounts.library()
    const { headers: answer } = await api.changePassword({
      // Whoever knew the old password is out.
      body: { currentPassword, newPassword: parsed.password, revokeOtherSessions: true },
      headers,
      returnHeaders: true,
    })
    const keepsTokens = fields['keepTokens'] === 'on'
    if (!keepsTokens) await deleteApiTokens(services.store, viewer.userId)
    return {
      kind: 'go',
      to: `/settings?done=${keepsTokens ? 'password-only' : 'password'}`,
      cookies: answer.getSetCookie(),
    }
  })
}

function startTwoFactor(form: AccountForm): Promise<FormOutcome> {
  const { services, headers } = form
  return withPassword(form, async (password) => {
    const { api } = await services.accounts.library()
    const started = await api.enableTwoFactor({ body: { password }, headers })
    if (started.method !== 'totp')
      throw new Error('the library set up another second factor than was asked for')
    return {
      kind: 'again',
      status: 200,
      values: { action: 'start-two-factor' },
      problems: [],
      twoFactor: toTwoFactorSetup(started.totpURI, started.backupCodes),
    }
  })
}

async function confirmTwoFactor(form: AccountForm): Promise<FormOutcome> {
  const { services, viewer, fields, headers, request } = form
  if (viewer.hasTwoFactor) return done
  const { accounts } = services
  const { userId } = viewer
  const code = fields['code']?.replaceAll(/\s/g, '') ?? ''
  const confirm = async (): Promise<{ kind: 'refused' } | { kind: 'go'; to: string; cookies: string[] }> => {
    if (!(await acceptTotpCode(accounts, { userId, code }))) return { kind: 'refused' }
    const { api } = await accounts.library()
    // The other sessions have not shown the second factor.
    await api.revokeOtherSessions({ headers })
    const { headers: answer } = await api.verifyTOTP({ body: { code }, headers, returnHeaders: true })
    return { kind: 'go', to: '/settings?done=two-factor', cookies: answer.getSetCookie() }
  }
  const result = await checkWhileSignedIn(accounts, { userId, request }, confirm)
  if (result.kind === 'go') return result
  const shown = parseShownSetup(fields)
  const text = 'This is not the code that your app shows now.'
  return {
    ...refuseTry(result, { action: 'confirm-two-factor', field: 'code', text }),
    ...(shown !== undefined && { twoFactor: shown }),
  }
}

/** The form carries what was shown, so that a mistyped code does not mean to begin anew. */
function parseShownSetup(fields: Record<string, string>): TwoFactorSetup | undefined {
  const { uri = '', codes = '' } = fields
  const isOurs =
    uri.startsWith('otpauth://totp/') && uri.length <= limits.totpUriCharacters && URL.canParse(uri)
  return isOurs ? toTwoFactorSetup(uri, codes.split(' ')) : undefined
}

function stopTwoFactor(form: AccountForm): Promise<FormOutcome> {
  const { services, headers } = form
  return withPassword(form, async (password) => {
    const { api } = await services.accounts.library()
    const { headers: answer } = await api.disableTwoFactor({
      body: { password },
      headers,
      returnHeaders: true,
    })
    return { kind: 'go', to: '/settings?done=no-two-factor', cookies: answer.getSetCookie() }
  })
}

async function endSession({ services, fields, headers }: AccountForm): Promise<FormOutcome> {
  const { api } = await services.accounts.library()
  const sessions = await api.listSessions({ headers })
  const session = sessions.find(({ id }) => id === fields['session'])
  if (session !== undefined) await api.revokeSession({ body: { token: session.token }, headers })
  return done
}

async function endOtherSessions({ services, headers }: AccountForm): Promise<FormOutcome> {
  const { api } = await services.accounts.library()
  await api.revokeOtherSessions({ headers })
  return done
}

const done: FormOutcome = { kind: 'go', to: '/settings' }
const signInFirst: FormOutcome = { kind: 'go', to: '/login?to=%2Fsettings' }

function refused(action: string, field: string, message: string): FormRefusal {
  return { kind: 'again', status: 422, values: { action }, problems: [{ field, message }] }
}

/** `Firefox on Ubuntu`. */
function toDeviceText(userAgent: string): string {
  const { browser, os } = userAgentContexts(userAgent)
  const names = [browser?.['name'], os?.['name']].filter((name) => typeof name === 'string')
  return names.length === 0 ? 'Unknown device' : names.join(' on ')
}

function toTwoFactorSetup(uri: string, recoveryCodes: string[]): TwoFactorSetup {
  const { data, size } = encode(uri, { ecc: 'M', border: 2 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return {
    uri,
    secret: new URL(uri).searchParams.get('secret') ?? '',
    recoveryCodes,
    qrCode: { size, path: squares.join('') },
  }
}
