import { listGrantableRoles, parseRole } from '#server/auth/roles.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import { hasAccessToAll, namedProjectIds } from './access.ts'
import { noteEndedAccess } from './ended-access.ts'
import { deleteInvitesBy } from './links.ts'
import { deleteProjectMemberships, parseIds } from './users.ts'

/** A member of an organization. */
export interface MemberRecord {
  userId: string
  name: string
  email: string
  role: string
  hasTwoFactor: boolean
  /** True by the role, or because `projectIds` is absent. */
  hasAccessToAll: boolean
  /** The projects of the membership; absent for every project. */
  projectIds?: number[]
}

/** The members of an organization by name. One statement. */
export async function listMembers(db: Db, organizationId: number): Promise<MemberRecord[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.name', 'u.email', 'm.role', 'u.two_factor_enabled', 'm.has_all_projects'])
    .select([hasAccessToAll.as('has_access_to_all'), namedProjectIds.as('project_ids')])
    .where('m.organization_id', '=', organizationId)
    .orderBy('u.name')
    .orderBy('u.id')
    .execute()
  return rows.map((row) => ({
    userId: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    hasTwoFactor: row.two_factor_enabled === 1,
    hasAccessToAll: row.has_access_to_all === 1,
    projectIds: row.has_all_projects === 1 ? undefined : parseIds(row.project_ids),
  }))
}

/** The role of a member; undefined for a user who is not a member. Call inside a transaction. */
export async function findRole(
  tx: Tx,
  { organizationId, userId }: { organizationId: number; userId: string },
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('memberships')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.role
}

/** The number of members of an organization with a role. Call inside a transaction. */
export async function countWithRole(
  tx: Tx,
  { organizationId, role }: { organizationId: number; role: string },
): Promise<number> {
  const row = await tx
    .selectFrom('memberships')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('role', '=', role)
    .executeTakeFirst()
  return row?.count ?? 0
}

/**
 * Changes the role of a member; the projects of the membership remain. Revokes the invitations that the role
 * cannot create. Call inside a transaction.
 */
export async function setRole(
  tx: Tx,
  { organizationId, userId, role }: { organizationId: number; userId: string; role: string },
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
  await deleteLostInvites(tx, { organizationId, userId, role })
  await noteEndedAccess(tx)
}

/** Revokes the invitations of a member that their new role cannot create. Call inside a transaction. */
export async function deleteLostInvites(
  tx: Tx,
  { role, ...member }: { organizationId: number; userId: string; role: string },
): Promise<void> {
  const known = parseRole(role)
  await deleteInvitesBy(tx, { ...member, keptRoles: known === undefined ? [] : listGrantableRoles(known) })
}

/**
 * Removes a user from an organization and its projects, and revokes the user's invitations; the account
 * remains. Call inside a transaction.
 */
export async function deleteMembership(
  tx: Tx,
  { organizationId, userId }: { organizationId: number; userId: string },
): Promise<void> {
  await deleteProjectMemberships(tx, { organizationId, userId })
  await deleteInvitesBy(tx, { organizationId, userId, keptRoles: [] })
  await tx
    .deleteFrom('memberships')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
  await noteEndedAccess(tx)
}

/** The projects of an organization by name. One statement. */
export async function listOrganizationProjects(
  db: Db,
  organizationId: number,
): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Revokes an invitation of an organization. */
export async function deleteInvite(
  db: Db,
  { organizationId, tokenHash }: { organizationId: number; tokenHash: string },
): Promise<void> {
  await db
    .deleteFrom('account_links')
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', tokenHash)
    .execute()
}
