import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { listMemberships } from '#server/store/accounts/users.ts'
import { isOneOf } from '#server/store/engine/per-engine.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startSystemAction } from './activity.ts'
import { changeState, selectIssues } from './changed-issues.ts'

/**
 * Unassigns issues whose assignee has no access to their project, for example because the account was
 * deleted, in short transactions. Returns false if some may be left for the next call.
 */
export async function unassignWithoutAccess(
  store: Store,
  { now, atMost = limits.unassignedPerCheck }: { now: number; atMost?: number },
): Promise<boolean> {
  let leftCount = atMost
  let userId = await findAssignee(store.db, '')
  while (userId !== undefined) {
    if (leftCount === 0) return false
    const limit = Math.min(leftCount, limits.unassignedAtOnce)
    const count = await unassignSome(store, { userId, now, limit })
    leftCount -= count
    if (count < limit) userId = await findAssignee(store.db, userId)
  }
  return true
}

/** The assignee with the next greater id. An index seek: reading all assigned issues would take long. */
async function findAssignee(db: Db, after: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('issues')
    .select((of) => of.fn.min<string | null>('assignee_id').as('userId'))
    .where('assignee_id', '>', after)
    .executeTakeFirst()
  return row?.userId ?? undefined
}

async function unassignSome(
  store: Store,
  { userId, now, limit }: { userId: string; now: number; limit: number },
): Promise<number> {
  // Usually there are none, and a read needs no lock.
  if ((await listLackedProjects(store.db, userId)).length === 0) return 0
  return store.writer.transaction().execute(async (tx) => {
    const projectIds = await listLackedProjects(tx, userId)
    const rows = await tx
      .selectFrom('issues')
      .select(['id', 'project_id'])
      .where('assignee_id', '=', userId)
      .where(isOneOf(sql.ref('project_id'), JSON.stringify(projectIds)))
      .limit(limit)
      .execute()
    const found = await selectIssues(tx, {
      issueIds: rows.map(({ id }) => id),
      projectIds: [...new Set(rows.map((row) => row.project_id))],
    })
    const action = startSystemAction(now)
    const event = { kind: 'assign', assigneeId: null, isAccessEnded: true } as const
    for (const issue of found) await changeState(tx, action, { issue, event })
    return found.length
  })
}

/** The projects that a user has no access to; all for a deleted account. Two statements. */
async function listLackedProjects(db: Db, userId: string): Promise<number[]> {
  const reachable = new Set((await listMemberships(db, userId)).flatMap(({ projectIds }) => projectIds))
  const projects = await db.selectFrom('projects').select('id').execute()
  return projects.map(({ id }) => id).filter((id) => !reachable.has(id))
}
