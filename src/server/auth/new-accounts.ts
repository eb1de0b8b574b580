import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import { consumeAccountLink, type AccountLink } from '#server/store/accounts/links.ts'
import { findRole } from '#server/store/accounts/members.ts'
import { nameOrganization } from '#server/store/accounts/organizations.ts'
import {
  findUserByEmail,
  hasUsers,
  insertUser,
  putMembership,
  replacePassword,
} from '#server/store/accounts/users.ts'
import { findSetting, hasLostAccounts } from '#server/store/installation/settings.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { appConfig } from '../../../app.config.ts'
import { hashPassword } from './password-hash.ts'
import { findPasswordWeakness } from './password-strength.ts'
import type { Role } from './roles.ts'

/** Name, address and password of a new account, parsed from a form. */
export interface AccountForm {
  name: string
  /** Lower case. */
  email: string
  password: string
}

export type AccountFormResult = { ok: true; form: AccountForm } | { ok: false; problems: AccountProblem[] }

/** A problem of a new account; `field` is the form field with the message. */
export interface AccountProblem {
  field: 'name' | 'email' | 'password' | 'form'
  message: string
}

const Email = v.pipe(v.string(), v.trim(), v.toLowerCase(), v.email(), v.maxLength(254))

/** Parses an email address, in lower case; undefined if it is invalid. */
export function parseEmail(text: string): string | undefined {
  const email = v.safeParse(Email, text)
  return email.success ? email.output : undefined
}

/** Reads the fields of a new account and reports all of their errors. */
export async function parseAccountForm(fields: Record<string, unknown>): Promise<AccountFormResult> {
  const problems: AccountProblem[] = []
  const name = typeof fields['name'] === 'string' ? fields['name'].trim().slice(0, limits.nameCharacters) : ''
  if (name === '') problems.push({ field: 'name', message: 'Enter your name.' })
  const email = v.safeParse(Email, fields['email'])
  if (!email.success)
    problems.push({ field: 'email', message: 'Enter an email address, like ada@example.com.' })
  const password = await parsePassword(fields['password'], [name, email.success ? email.output : ''])
  if (!password.ok) problems.push({ field: 'password', message: password.problem })
  if (!email.success || !password.ok || problems.length > 0) return { ok: false, problems }
  return { ok: true, form: { name, email: email.output, password: password.password } }
}

/** Parses a new password. `words`: what an attacker knows about the user, such as name and email address. */
export async function parsePassword(
  value: unknown,
  words: string[],
): Promise<{ ok: true; password: string } | { ok: false; problem: string }> {
  const password = typeof value === 'string' ? value : ''
  if (password.length < limits.passwordMinCharacters)
    return {
      ok: false,
      problem: `Use at least ${limits.passwordMinCharacters} characters. A passphrase works well.`,
    }
  if (password.length > limits.passwordCharacters)
    return { ok: false, problem: `Use at most ${limits.passwordCharacters} characters.` }
  const weakness = await findPasswordWeakness(password, [...words, appConfig.name])
  if (weakness !== undefined)
    return { ok: false, problem: `This password is easy to guess. ${weakness} Use a few unrelated words.` }
  return { ok: true, password }
}

const setupTokensKey = 'setup_tokens'

const SetupTokens = v.array(v.object({ hash: v.string(), at: v.number() }))

/** True if `/setup` creates an account: never if there is one, or if a damaged database may have had one. */
export async function isSetupOpen(db: Db): Promise<boolean> {
  return !(await hasUsers(db)) && !(await hasLostAccounts(db))
}

/**
 * Creates a token for `/setup`; undefined if setup is closed. Only readers of the server's own output have
 * it, so that no other visitor can claim an empty installation. Earlier tokens stay valid for
 * `limits.setupTokenMs`, because several processes may start, each with its own output.
 */
export async function createSetupToken(store: Store): Promise<string | undefined> {
  if (!(await isSetupOpen(store.db))) return undefined
  const token = randomBytes(18).toString('base64url')
  const at = store.clock()
  await store.writer.transaction().execute(async (tx) => {
    const young = (await readSetupTokens(tx)).filter((kept) => Math.abs(at - kept.at) < limits.setupTokenMs)
    const kept = [...young, { hash: sha256(token).toString('hex'), at }].slice(-limits.setupTokens)
    const value = JSON.stringify(kept)
    await tx
      .insertInto('settings')
      .values({ key: setupTokensKey, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  })
  return token
}

/** True for the latest token, and for recent ones before it. */
export async function isSetupToken(store: Store, token: string): Promise<boolean> {
  const hash = sha256(token)
  const tokens = await readSetupTokens(store.db)
  return tokens.some(
    (kept, index) =>
      timingSafeEqual(Buffer.from(kept.hash, 'hex'), hash) &&
      (index === tokens.length - 1 || Math.abs(store.clock() - kept.at) < limits.setupTokenMs),
  )
}

async function readSetupTokens(db: Db): Promise<v.InferOutput<typeof SetupTokens>> {
  const text = await findSetting(db, setupTokensKey)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), SetupTokens), text)
  return parsed.success ? parsed.output : []
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Creates the first account, which owns the first organization, and names the organization; undefined if
 * another request was faster.
 */
export async function createFirstAccount(
  store: Store,
  form: AccountForm & { organizationName?: string },
): Promise<string | undefined> {
  const passwordHash = await hashPassword(form.password)
  const at = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    if (!(await isSetupOpen(tx))) return undefined
    const userId = await insertUser(tx, {
      name: form.name,
      email: form.email,
      passwordHash,
      isEmailVouchedFor: true,
      at,
    })
    await putMembership(tx, { organizationId: firstOrganizationId, userId, role: 'owner', at })
    const { organizationName: name } = form
    if (name !== undefined) await nameOrganization(tx, { id: firstOrganizationId, name, hasNewSlug: true })
    return userId
  })
}

/** The organization that the schema creates. */
export const firstOrganizationId = 1

export interface NewMember extends AccountForm {
  organizationId: number
  role: Role
  /** Absent for every project of the organization. */
  projectIds?: number[]
}

/** Creates an account in an organization, for the command line; undefined if the address has one already. */
export async function createMember(store: Store, member: NewMember): Promise<string | undefined> {
  const passwordHash = await hashPassword(member.password)
  const at = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    if ((await findUserByEmail(tx, member.email)) !== undefined) return undefined
    const { name, email, organizationId, role, projectIds } = member
    const userId = await insertUser(tx, { name, email, passwordHash, isEmailVouchedFor: true, at })
    await putMembership(tx, { organizationId, userId, role, at, projectIds })
    return userId
  })
}

/** The result of accepting an invitation. */
export type InviteResult =
  | { kind: 'joined'; userId: string }
  /** The user is already a member: nothing changes. */
  | { kind: 'member' }
  /** The invitation was used or revoked meanwhile. */
  | { kind: 'gone' }
  | { kind: 'address-taken' }

/** Accepts an invitation: with a new account, or with the signed-in one. */
export async function acceptInvite(
  store: Store,
  link: AccountLink,
  who: { form: AccountForm } | { userId: string },
): Promise<InviteResult> {
  const { purpose, tokenHash } = link
  if (purpose.kind !== 'invite') return { kind: 'gone' }
  const passwordHash = 'form' in who ? await hashPassword(who.form.password) : undefined
  const at = store.clock()
  return store.writer.transaction().execute(async (tx): Promise<InviteResult> => {
    if ('form' in who && (await findUserByEmail(tx, who.form.email)) !== undefined)
      return { kind: 'address-taken' }
    // The invitation's role must not replace that of a member, for example of the only owner.
    if (
      'userId' in who &&
      (await findRole(tx, { organizationId: purpose.organizationId, userId: who.userId }))
    )
      return { kind: 'member' }
    if (!(await consumeAccountLink(tx, tokenHash))) return { kind: 'gone' }
    const userId =
      'userId' in who
        ? who.userId
        : await insertUser(tx, {
            name: who.form.name,
            email: who.form.email,
            passwordHash: passwordHash ?? '',
            // The invited user may enter any address, including a colleague's.
            isEmailVouchedFor: link.note.toLowerCase() === who.form.email,
            at,
          })
    const { organizationId, role, projectIds } = purpose
    await putMembership(tx, { organizationId, userId, role, at, projectIds })
    return { kind: 'joined', userId }
  })
}

/**
 * Sets a new password through a link. Returns false if the link was used meanwhile. Ends every session of the
 * user.
 */
export async function redeemPasswordLink(
  store: Store,
  link: AccountLink,
  password: string,
): Promise<boolean> {
  const { purpose, tokenHash } = link
  if (purpose.kind !== 'password') return false
  const passwordHash = await hashPassword(password)
  const at = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    if (!(await consumeAccountLink(tx, tokenHash))) return false
    await replacePassword(tx, { userId: purpose.userId, passwordHash, at })
    return true
  })
}
