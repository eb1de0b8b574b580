import { sql, type Transaction } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/**
 * Lets members of the project's organization reach it who reach only some of its projects. Others are left
 * out.
 */
export async function insertProjectMembers(
  tx: Transaction<Database>,
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

/** Who reaches a project, or no longer does. */
export interface ProjectMemberChange {
  projectId: number
  organizationId: number
  userId: string
}

/** Lets one more member reach the project. */
export async function recordProjectMember(store: Store, change: ProjectMemberChange): Promise<void> {
  const { userId, ...project } = change
  await store.writer
    .transaction()
    .execute((tx) => insertProjectMembers(tx, { ...project, userIds: [userId] }))
}

/** Lets a member reach it no longer; who reaches every project of the organization still does. */
export async function deleteProjectMember(
  store: Store,
  { projectId, userId }: Pick<ProjectMemberChange, 'projectId' | 'userId'>,
): Promise<void> {
  await store.writer
    .deleteFrom('project_members')
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .execute()
}
