import { sql } from 'kysely'
import { noteEndedAccess } from '#server/store/accounts/ended-access.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/**
 * Grants access to a project to members of its organization who have access to some projects only. Other
 * users are ignored.
 */
export async function insertProjectMembers(
  tx: Tx,
  {
    projectId,
    organizationId,
    userIds,
  }: { projectId: number; organizationId: number; userIds: readonly string[] },
): Promise<void> {
  if (userIds.length === 0) return
  await tx
    .insertInto('project_members')
    .columns(['project_id', 'user_id'])
    .expression((is) =>
      is
        .selectFrom('memberships')
        .select([sql.val(projectId).as('project_id'), 'user_id'])
        .where('organization_id', '=', organizationId)
        .where('has_all_projects', '=', 0)
        .where('user_id', 'in', userIds),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** A change of a member's access to a project. */
export interface ProjectMemberChange {
  projectId: number
  organizationId: number
  userId: string
}

/** Grants a member access to the project. */
export async function recordProjectMember(store: Store, change: ProjectMemberChange): Promise<void> {
  const { userId, ...project } = change
  await store.writer
    .transaction()
    .execute((tx) => insertProjectMembers(tx, { ...project, userIds: [userId] }))
}

/** Removes a member's access to the project, unless the member has access to every project. */
export async function deleteProjectMember(
  store: Store,
  { projectId, userId }: Pick<ProjectMemberChange, 'projectId' | 'userId'>,
): Promise<void> {
  await store.writer.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('project_members')
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .execute()
    await noteEndedAccess(tx)
  })
}
