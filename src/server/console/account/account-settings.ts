import * as v from 'valibot'
import { parsePassword } from '#server/auth/new-accounts.ts'
import { canConfigure, type Viewer } from '#server/auth/viewer.ts'
import { isTicked, rawText, text } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import { parseUserAgent } from '#server/normalize/user-agent.ts'
import type { Services } from '#server/services.ts'
import { deleteApiTokens, listApiTokens } from '#server/store/accounts/api-tokens.ts'
import { deletePasswordLinks, updateUser } from '#server/store/accounts/users.ts'
import { isTimeZone, listTimeZones } from '#time/time-zone.ts'
import { accountForm, accountPageForms, withPassword } from './account-form.ts'
import { enterSignIn } from './login.ts'
import { confirmTwoFactor, startTwoFactor, stopTwoFactor } from './two-factor.ts'
import type { AccountSettingsView, SessionView } from './views.ts'

const nameFields = v.object({
  name: v.pipe(
    text,
    v.nonEmpty('Enter your name.'),
    v.transform((name) => name.slice(0, limits.nameCharacters)),
  ),
})

const rename = accountForm(nameFields, async ({ services, viewer, fields }) => {
  await updateUser(services.store, viewer.userId, { name: fields.name })
  return { kind: 'done', text: 'Name saved.' }
})

const switchShortcuts = accountForm(
  v.object({ shortcuts: isTicked }),
  async ({ services, viewer, fields }) => {
    await updateUser(services.store, viewer.userId, { hasShortcuts: fields.shortcuts })
    return {
      kind: 'done',
      text: fields.shortcuts ? 'Keyboard shortcuts turned on.' : 'Keyboard shortcuts turned off.',
    }
  },
)

const timeZoneFields = v.object({
  timeZone: v.pipe(
    text,
    v.check((zone) => zone === '' || isTimeZone(zone), 'Choose a time zone from the list.'),
  ),
})

const chooseTimeZone = accountForm(timeZoneFields, async ({ services, viewer, fields: { timeZone } }) => {
  await updateUser(services.store, viewer.userId, { timeZone: timeZone === '' ? null : timeZone })
  return { kind: 'done', text: 'Time zone saved.' }
})

const passwordFields = v.object({ password: rawText, newPassword: rawText, keepTokens: isTicked })

const changePassword = accountForm(passwordFields, async (form) => {
  const { services, viewer, fields, headers } = form
  const parsed = await parsePassword(fields.newPassword, [viewer.name, viewer.email])
  if (!parsed.ok) return reject([{ field: 'newPassword', message: parsed.problem }])
  return withPassword(form, async () => {
    const { api } = await services.accounts.library()
    const { headers: answer } = await api.changePassword({
      // Ends sessions that someone else may have opened with the old password.
      body: { currentPassword: fields.password, newPassword: parsed.password, revokeOtherSessions: true },
      headers,
      returnHeaders: true,
    })
    await deletePasswordLinks(services.store.writer, viewer.userId)
    if (!fields.keepTokens) await deleteApiTokens(services.store, viewer.userId)
    return {
      kind: 'done',
      text: `Password changed. All other sessions were signed out${fields.keepTokens ? '.' : ', and your API tokens are revoked.'}`,
      cookies: answer.getSetCookie(),
    }
  })
})

const endSession = accountForm(v.object({ session: rawText }), async ({ services, fields, headers }) => {
  const { api } = await services.accounts.library()
  const sessions = await api.listSessions({ headers })
  const session = sessions.find(({ id }) => id === fields.session)
  if (session !== undefined) await api.revokeSession({ body: { token: session.token }, headers })
  return { kind: 'done', text: 'Session signed out.' }
})

const endOtherSessions = accountForm(v.object({}), async ({ services, headers }) => {
  const { api } = await services.accounts.library()
  await api.revokeOtherSessions({ headers })
  return { kind: 'done', text: 'All other sessions signed out.' }
})

/** The forms of `/settings`. */
export const accountForms = accountPageForms(
  {
    rename,
    shortcuts: switchShortcuts,
    'time-zone': chooseTimeZone,
    'change-password': changePassword,
    'start-two-factor': startTwoFactor,
    'confirm-two-factor': confirmTwoFactor,
    'stop-two-factor': stopTwoFactor,
    'end-session': endSession,
    'end-other-sessions': endOtherSessions,
  },
  enterSignIn,
)

/** The data of `/settings`. */
export async function getAccountSettings(
  { accounts, clock, store }: Services,
  viewer: Viewer,
  cookie: string,
): Promise<AccountSettingsView> {
  const { api } = await accounts.library()
  const headers = new Headers({ cookie })
  const now = clock()
  const sessions = (await api.listSessions({ headers })).filter(
    ({ updatedAt }) => now - updatedAt.getTime() < limits.sessionIdleMs,
  )
  const credentials = await api.listUserAccounts({ headers })
  return {
    now,
    name: viewer.name,
    email: viewer.email,
    hasTwoFactor: viewer.hasTwoFactor,
    hasShortcuts: viewer.hasShortcuts,
    timeZone: viewer.timeZone,
    timeZones: listTimeZones(),
    hasPassword: credentials.some(({ providerId }) => providerId === 'credential'),
    tokenCount: (await listApiTokens(store.db, viewer.userId)).length,
    memberships: viewer.memberships.map(({ organizationSlug, organizationName, role }) => ({
      organizationSlug,
      organizationName,
      role,
    })),
    canConfigure: canConfigure(viewer),
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
  }
}

/** `Firefox on Ubuntu`. */
function toDeviceText(userAgent: string): string {
  const { browser, os } = parseUserAgent(userAgent)
  const names = [browser?.['name'], os?.['name']].filter((name) => typeof name === 'string')
  return names.length === 0 ? 'Unknown device' : names.join(' on ')
}
