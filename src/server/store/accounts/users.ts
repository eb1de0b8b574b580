import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { jsonNumbers } from '#server/store/engine/per-engine.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import type { TimeZone } from '#time/time-zone.ts'
import { hasAccessToOneOf } from './access.ts'
import { noteEndedAccess } from './ended-access.ts'

/** A new user, who signs in with a password. */
export interface NewUser {
  name: string
  /** Lower case. */
  email: string
  /** PHC string. */
  passwordHash: string
  /**
   * True if an owner or the operator entered the address: an identity provider's account with it then belongs
   * to the same person.
   */
  isEmailVouchedFor: boolean
  /** Unix milliseconds. */
  at: number
}

/** Better-auth's provider id for accounts with a local password. */
const passwordProvider = 'credential'

/** Creates a user and returns the id. Call inside a transaction. Throws if the address is in use. */
export async function insertUser(tx: Tx, user: NewUser): Promise<string> {
  const { name, email, at } = user
  const id = randomUUID()
  const created = new Date(at).toISOString()
  const times = { created_at: created, updated_at: created }
  await tx
    .insertInto('users')
    .values({
      id,
      name,
      email,
      email_verified: user.isEmailVouchedFor ? 1 : 0,
      two_factor_enabled: 0,
      ...times,
    })
    .execute()
  await insertPassword(tx, { userId: id, passwordHash: user.passwordHash, at })
  return id
}

/**
 * Sets a user's password, ends all of the user's sessions and revokes the API tokens, because someone who
 * knew the earlier password may have created them. Further links for a new password no longer work.
 */
export async function replacePassword(
  tx: Tx,
  password: { userId: string; passwordHash: string; at: number },
): Promise<void> {
  const { userId } = password
  await tx
    .deleteFrom('credentials')
    .where('user_id', '=', userId)
    .where('provider_id', '=', passwordProvider)
    .execute()
  await insertPassword(tx, password)
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('api_tokens').where('user_id', '=', userId).execute()
  await deletePasswordLinks(tx, userId)
}

/** Revokes the unused links with which a user can set a password. */
export async function deletePasswordLinks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('account_links').where('user_id', '=', userId).execute()
}

/** Records that a session is in use. */
export async function noteSessionUse({ writer, clock }: Store, token: string): Promise<void> {
  const updated = new Date(clock()).toISOString()
  await writer.updateTable('sessions').set({ updated_at: updated }).where('token', '=', token).execute()
}

/** Ends a session. */
export async function deleteSession({ writer }: Store, token: string): Promise<void> {
  await writer.deleteFrom('sessions').where('token', '=', token).execute()
}

async function insertPassword(
  tx: Tx,
  { userId, passwordHash, at }: { userId: string; passwordHash: string; at: number },
): Promise<void> {
  const created = new Date(at).toISOString()
  await tx
    .insertInto('credentials')
    .values({
      id: randomUUID(),
      user_id: userId,
      provider_id: passwordProvider,
      account_id: userId,
      password: passwordHash,
      created_at: created,
      updated_at: created,
    })
    .execute()
}

/**
 * Deletes a user with sessions, password, second factor, tokens, memberships, searches and notifications, by
 * the foreign keys, and the user's invitations of others. Comments and activity keep the id and show "Deleted
 * account"; issues become unassigned later. Call inside a transaction.
 */
export async function deleteUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('account_links').where('created_by', '=', userId).execute()
  await tx.deleteFrom('users').where('id', '=', userId).execute()
  await noteEndedAccess(tx)
}

/** What users change about themselves; omitted fields stay. */
export interface UserChange {
  name?: string
  hasShortcuts?: boolean
  /** Null for the browser's. */
  timeZone?: TimeZone | null
}

/** Changes the name or the preferences of a user. */
export async function updateUser(store: Store, userId: string, change: UserChange): Promise<void> {
  const { name, hasShortcuts, timeZone } = change
  await store.writer
    .updateTable('users')
    .set({
      name,
      shortcuts_off: hasShortcuts === undefined ? undefined : Number(!hasShortcuts),
      time_zone: timeZone,
      updated_at: new Date(store.clock()).toISOString(),
    })
    .where('id', '=', userId)
    .execute()
}

/** The preferences of a user. */
export interface UserPreferences {
  /** True if single-key shortcuts are enabled. */
  hasShortcuts: boolean
  /** The time zone of times on pages; absent: the browser's. */
  timeZone?: TimeZone
}

/** The preferences of a user. */
export async function readPreferences(db: Db, userId: string): Promise<UserPreferences> {
  const user = await db
    .selectFrom('users')
    .select(['shortcuts_off', 'time_zone'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const timeZone = user?.time_zone ?? undefined
  return { hasShortcuts: user?.shortcuts_off !== 1, timeZone }
}

/** True if any account exists. */
export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The name and address of a user. */
export interface UserName {
  id: string
  name: string
  email: string
}

/** The user with an id. */
export async function findUser(db: Db, id: string): Promise<UserName | undefined> {
  return db.selectFrom('users').select(['id', 'name', 'email']).where('id', '=', id).executeTakeFirst()
}

/** The user with an address (lower case). */
export async function findUserByEmail(db: Db, email: string): Promise<UserName | undefined> {
  return db.selectFrom('users').select(['id', 'name', 'email']).where('email', '=', email).executeTakeFirst()
}

/** True if a user can sign in with a password. */
export async function hasPassword(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('credentials')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider_id', '=', passwordProvider)
    .executeTakeFirst()
  return row !== undefined
}

/** An organization of a user, with its projects that the user has access to. */
export interface MembershipRow {
  organizationId: number
  organizationSlug: string
  organizationName: string
  /** Unix milliseconds. */
  organizationCreatedAt: number
  role: string
  projectIds: number[]
}

/** All memberships of a user, by the organization's name. One statement. */
export async function listMemberships(db: Db, userId: string): Promise<MembershipRow[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['o.id', 'o.slug', 'o.name', 'o.created_at', 'm.role'])
    .select((is) =>
      is
        .selectFrom('projects as p')
        .select(jsonNumbers(sql.ref('p.id')).as('ids'))
        .whereRef('p.organization_id', '=', 'm.organization_id')
        .where(hasAccessToOneOf(sql`(p.id)`))
        .as('project_ids'),
    )
    .where('m.user_id', '=', userId)
    .orderBy('o.name')
    .orderBy('o.id')
    .execute()
  return rows.map((row) => ({
    organizationId: row.id,
    organizationSlug: row.slug,
    organizationName: row.name,
    organizationCreatedAt: row.created_at,
    role: row.role,
    projectIds: parseIds(row.project_ids),
  }))
}

/** Parses a JSON array of numbers; empty for anything else. */
export function parseIds(text: string | null): number[] {
  const value: unknown = text === null ? undefined : JSON.parse(text)
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : []
}

/** Adds a member to an organization, or changes the role and projects. Call inside a transaction. */
export async function putMembership(
  tx: Tx,
  membership: {
    organizationId: number
    userId: string
    role: string
    /** Absent for every project of the organization. */
    projectIds?: number[]
    at: number
  },
): Promise<void> {
  const { organizationId, userId, role, projectIds, at } = membership
  const hasAllProjects = projectIds === undefined ? 1 : 0
  await tx
    .insertInto('memberships')
    .values({
      organization_id: organizationId,
      user_id: userId,
      role,
      has_all_projects: hasAllProjects,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id'])
        .doUpdateSet({ role, has_all_projects: hasAllProjects }),
    )
    .execute()
  await deleteProjectMemberships(tx, { organizationId, userId })
  if (projectIds !== undefined && projectIds.length > 0) {
    await tx
      .insertInto('project_members')
      .columns(['project_id', 'user_id'])
      // The ids are form input, so only ids of this organization are used.
      .expression((is) =>
        is
          .selectFrom('projects')
          .select(['id', sql.val(userId).as('user_id')])
          .where('organization_id', '=', organizationId)
          .where('id', 'in', projectIds),
      )
      .execute()
  }
  await noteEndedAccess(tx)
}

/** Removes a user from the projects of an organization. Call inside a transaction. */
export async function deleteProjectMemberships(
  tx: Tx,
  { organizationId, userId }: { organizationId: number; userId: string },
): Promise<void> {
  await tx
    .deleteFrom('project_members')
    .where('user_id', '=', userId)
    .where('project_id', 'in', (is) =>
      is.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
    )
    .execute()
}
