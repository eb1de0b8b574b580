import * as v from 'valibot'
import {
  acceptInvite,
  createFirstAccount,
  isSetupOpen,
  isSetupToken,
  parseAccountForm,
  parseEmail,
  parsePassword,
  redeemPasswordLink,
  type AccountForm,
} from '#server/auth/new-accounts.ts'
import { signIn } from '#server/auth/sign-in/sign-in.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { definePageForms, type FormCall, type Prepared } from '#server/forms/define-page-forms.ts'
import { rawText } from '#server/forms/fields.ts'
import type { FormProblem } from '#server/forms/form-views.ts'
import { formsFor, reject, type FormOutcome } from '#server/forms/form.ts'
import type { Services } from '#server/services.ts'
import { findAccountLink, findExpiredLink, type AccountLink } from '#server/store/accounts/links.ts'
import { findOrganization } from '#server/store/accounts/organizations.ts'
import { findUser, hasUsers } from '#server/store/accounts/users.ts'
import { hasLostAccounts } from '#server/store/installation/settings.ts'
import type { Store } from '#server/store/store.ts'
import { toSignInRequest } from './login.ts'
import { organizationName } from './members.ts'
import type { InviteView, PasswordLinkView, SetupView } from './views.ts'

/** The data of the setup page. */
export async function getSetupView({ store }: Services, token: string): Promise<SetupView> {
  const hasAccounts = await hasUsers(store.db)
  const areAccountsLost = !hasAccounts && (await hasLostAccounts(store.db))
  return {
    isOpen: !hasAccounts && !areAccountsLost,
    areAccountsLost,
    ...(await checkSetupToken(store, token)),
  }
}

async function checkSetupToken(
  store: Store,
  token: string,
): Promise<Pick<SetupView, 'isTokenRight' | 'tokenProblem'>> {
  if (await isSetupToken(store, token)) return { isTokenRight: true }
  return { isTokenRight: false, ...(token !== '' && { tokenProblem: wrongTokenText }) }
}

const wrongTokenText = 'Invalid token. Copy the latest URL from the server’s log.'

/** The fields of a new account; `parseAccountForm` returns their errors. */
const accountFields = { name: rawText, email: rawText, password: rawText }

const setUp = formsFor<FormCall>()(
  v.object({ ...accountFields, token: rawText, organization: organizationName }),
  async ({ services, request, fields }) => {
    if (!(await isSetupOpen(services.store.db))) return { kind: 'done', leadsTo: '/setup' }
    if (!(await isSetupToken(services.store, fields.token))) {
      return reject([{ field: 'token', message: wrongTokenText }], 403)
    }
    const parsed = await parseAccountForm(fields)
    if (!parsed.ok) return reject(toProblems(parsed.problems))
    const userId = await createFirstAccount(services.store, {
      ...parsed.form,
      organizationName: fields.organization,
    })
    return userId === undefined ? toSignInPage : enter(services, request, parsed.form)
  },
)

/** The form of `/setup`: creates the first account and signs in its user. */
export const setupForms = definePageForms({ create: setUp }, { prepare: async (call) => ({ context: call }) })

/** The data of an invitation's page. */
export async function getInviteView(
  { store }: Services,
  token: string,
  viewer: Viewer | undefined,
): Promise<InviteView> {
  const link = await findAccountLink(store.db, token, store.clock())
  const purpose = link?.purpose
  if (link === undefined)
    return { expiredAt: (await findExpiredLink(store.db, token, store.clock()))?.expiresAt }
  if (purpose?.kind !== 'invite') return {}
  const organization = await findOrganization(store.db, purpose.organizationId)
  if (organization === undefined) return {}
  const email = parseEmail(link.note)
  return {
    invite: {
      organizationName: organization.name,
      role: purpose.role,
      expiresAt: link.expiresAt,
      email,
    },
    ...(viewer !== undefined && {
      viewer: {
        name: viewer.name,
        email: viewer.email,
        isMember: viewer.memberships.some(({ organizationId }) => organizationId === organization.id),
      },
    }),
  }
}

/** A form of a page that is opened by a link. */
interface LinkCall extends FormCall {
  link: AccountLink
}

const linkForm = formsFor<LinkCall>()

async function findLink(call: FormCall): Promise<Prepared<LinkCall>> {
  const { store } = call.services
  const link = await findAccountLink(store.db, call.params['token'] ?? '', store.clock())
  return link === undefined ? { outcome: goneLink } : { context: { ...call, link } }
}

const goneLink = reject('This link was used or revoked. Ask for a new one.', 410)

/** Joins with the signed-in account, or creates one. */
const join = linkForm(v.object(accountFields), async ({ services, request, viewer, link, fields }) => {
  const { store, accounts } = services
  if (viewer !== undefined) {
    const result = await acceptInvite(store, link, { userId: viewer.userId })
    accounts.forgetViewers()
    if (result.kind === 'member')
      return reject('You are a member already. The invitation can still be used.', 409)
    if (result.kind !== 'joined') return goneLink
    return { kind: 'done', leadsTo: '/issues', isSignInChanged: true }
  }
  const parsed = await parseAccountForm(fields)
  if (!parsed.ok) return reject(toProblems(parsed.problems))
  const result = await acceptInvite(store, link, { form: parsed.form })
  if (result.kind === 'joined') return enter(services, request, parsed.form)
  if (result.kind === 'gone') return goneLink
  const message = 'This email address already has an account. Sign in first, then open the invitation again.'
  return reject([{ field: 'email', message }], 409)
})

/** The form of an invitation. */
export const inviteForms = definePageForms({ join }, { prepare: findLink })

/** The data of the page of a password link. */
export async function getPasswordLinkView(
  { store, passwordLinkMailer }: Services,
  token: string,
): Promise<PasswordLinkView> {
  const canMailLink = passwordLinkMailer.isAvailable
  const link = await findAccountLink(store.db, token, store.clock())
  if (link?.purpose.kind !== 'password') return { canMailLink }
  const user = await findUser(store.db, link.purpose.userId)
  return user === undefined ? { canMailLink } : { canMailLink, email: user.email }
}

/** Sets the password; ends every session of the user. */
const setPassword = linkForm(v.object({ password: rawText }), async ({ services, link, fields }) => {
  const { purpose } = link
  const user = purpose.kind === 'password' ? await findUser(services.store.db, purpose.userId) : undefined
  const parsed = await parsePassword(fields.password, user === undefined ? [] : [user.name, user.email])
  if (!parsed.ok) return reject([{ field: 'password', message: parsed.problem }])
  const isRedeemed = await redeemPasswordLink(services.store, link, parsed.password)
  services.accounts.forgetViewers()
  return isRedeemed ? { kind: 'done', leadsTo: '/login?step=new-password', isSignInChanged: true } : goneLink
})

/** The form of a link for a new password. */
export const passwordLinkForms = definePageForms({ save: setPassword }, { prepare: findLink })

const toSignInPage: FormOutcome = { kind: 'done', leadsTo: '/login' }

/** Signs in the user of a new account. */
async function enter(services: Services, request: Request, form: AccountForm): Promise<FormOutcome> {
  const result = await signIn(services.accounts, form, toSignInRequest(request))
  services.accounts.forgetViewers()
  return result.kind === 'signed-in'
    ? { kind: 'done', leadsTo: '/issues', isSignInChanged: true, cookies: result.cookies }
    : toSignInPage
}

function toProblems(problems: { field: string; message: string }[]): FormProblem[] {
  return problems.map(({ field, message }) => (field === 'form' ? { message } : { field, message }))
}
