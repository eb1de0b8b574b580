import type { Services } from '#server/services.ts'
import { findAccountLink } from '#server/store/account-links.ts'
import { findOrganization } from '#server/store/organizations.ts'
import { findUser, hasUsers } from '#server/store/users.ts'
import { toSignInRequest } from './login.ts'
import {
  acceptInvite,
  createFirstAccount,
  isSetupToken,
  parseAccountForm,
  parsePassword,
  takePasswordLink,
  type AccountForm,
} from './new-accounts.ts'
import { findFormState, type FormOutcome, type PostedForm } from './page-form.ts'
import { signIn } from './sign-in.ts'
import type { Viewer } from './viewer.ts'
import type { InviteView, PasswordLinkView, SetupView } from './views.ts'

/** What the setup page shows. */
export async function getSetupView({ store }: Services): Promise<SetupView> {
  return { isOpen: !(await hasUsers(store.db)), ...formPart() }
}

/** Answers the form of `/setup`: makes the first account and signs it in. */
export async function postSetup(services: Services, { request, fields }: PostedForm): Promise<FormOutcome> {
  const values = toValues(fields)
  if (await hasUsers(services.store.db)) return { kind: 'go', to: '/login' }
  if (!(await isSetupToken(services.store, fields['token'] ?? ''))) {
    const message =
      'This is not the token that the server printed when it started last. Copy the whole address from its output.'
    return { kind: 'again', status: 403, values, problems: [{ field: 'token', message }] }
  }
  const parsed = parseAccountForm(fields)
  if (!parsed.ok) return { kind: 'again', status: 422, values, problems: parsed.problems }
  const userId = await createFirstAccount(services.store, parsed.form)
  return userId === undefined ? { kind: 'go', to: '/login' } : enter(services, request, parsed.form)
}

/** What an invitation's page shows. */
export async function getInviteView(
  { store }: Services,
  token: string,
  viewer: Viewer | undefined,
): Promise<InviteView> {
  const link = await findAccountLink(store.db, token, store.clock())
  const purpose = link?.purpose
  if (link === undefined || purpose?.kind !== 'invite') return formPart()
  const organization = await findOrganization(store.db, purpose.organizationId)
  if (organization === undefined) return formPart()
  return {
    invite: { organizationName: organization.name, role: purpose.role, expiresAt: link.expiresAt },
    ...(viewer !== undefined && { viewer: { name: viewer.name, email: viewer.email } }),
    ...formPart(),
  }
}

/** Answers the form of an invitation: joins with the account that is signed in, or makes one. */
export async function postInvite(services: Services, form: PostedForm): Promise<FormOutcome> {
  const { request, fields, token } = form
  const { store, accounts } = services
  const link = await findAccountLink(store.db, token, store.clock())
  if (link === undefined) return gone
  const viewer = await accounts.findViewer(request.headers)
  if (viewer !== undefined) {
    const result = await acceptInvite(store, link, { userId: viewer.userId })
    accounts.forgetViewers()
    return result.kind === 'joined' ? { kind: 'go', to: '/issues' } : gone
  }
  const parsed = parseAccountForm(fields)
  if (!parsed.ok) return { kind: 'again', status: 422, values: toValues(fields), problems: parsed.problems }
  const result = await acceptInvite(store, link, { form: parsed.form })
  if (result.kind === 'joined') return enter(services, request, parsed.form)
  if (result.kind === 'gone') return gone
  const message = 'This address has an account already. Sign in first, then open the invitation again.'
  return { kind: 'again', status: 409, values: toValues(fields), problems: [{ field: 'email', message }] }
}

/** What the page of a link for a new password shows. */
export async function getPasswordLinkView({ store }: Services, token: string): Promise<PasswordLinkView> {
  const link = await findAccountLink(store.db, token, store.clock())
  if (link?.purpose.kind !== 'password') return formPart()
  const user = await findUser(store.db, link.purpose.userId)
  return { ...(user !== undefined && { email: user.email }), ...formPart() }
}

/** Answers the form of a link for a new password; every session of the user ends. */
export async function postPasswordLink(services: Services, form: PostedForm): Promise<FormOutcome> {
  const { store, accounts } = services
  const link = await findAccountLink(store.db, form.token, store.clock())
  if (link === undefined) return gone
  const parsed = parsePassword(form.fields['password'])
  if (!parsed.ok) {
    return {
      kind: 'again',
      status: 422,
      values: {},
      problems: [{ field: 'password', message: parsed.problem }],
    }
  }
  const isTaken = await takePasswordLink(store, link, parsed.password)
  accounts.forgetViewers()
  return isTaken ? { kind: 'go', to: '/login?step=new-password' } : gone
}

const gone: FormOutcome = {
  kind: 'again',
  status: 410,
  values: {},
  problems: [{ message: 'This link was used or withdrawn meanwhile. Ask for a new one.' }],
}

/** Signs in whoever just got an account. */
async function enter(services: Services, request: Request, form: AccountForm): Promise<FormOutcome> {
  const result = await signIn(services.accounts, form, toSignInRequest(request))
  services.accounts.forgetViewers()
  return result.kind === 'signed-in'
    ? { kind: 'go', to: '/issues', cookies: result.cookies }
    : { kind: 'go', to: '/login' }
}

function formPart(): Pick<SetupView, 'form'> {
  const form = findFormState()
  return form === undefined ? {} : { form }
}

/** What goes back into the form: everything but the password. */
function toValues(fields: Record<string, string>): Record<string, string> {
  const { password: _password, ...values } = fields
  return values
}
