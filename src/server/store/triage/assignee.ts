import { sql } from 'kysely'
import { hasAccessToOneOf } from '#server/store/accounts/access.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startAction, type Actor } from './activity.ts'
import { changeState, selectIssues, toActionResult } from './changed-issues.ts'
import type { ActionResult, IssueSelection } from './changed-issues.ts'

/** Rejected without a change if the assignee lacks access to one of the projects. */
export type AssigneeResult = ActionResult | { rejected: 'assignee-without-access' }

/** Assigns issues to a user, or unassigns them with null, in one transaction. */
export function recordAssignee(
  store: Store,
  selection: IssueSelection,
  { assigneeId, ...actor }: Actor & { assigneeId: string | null },
): Promise<AssigneeResult> {
  const action = startAction(actor)
  return store.writer.transaction().execute(async (tx): Promise<AssigneeResult> => {
    const found = await selectIssues(tx, selection)
    for (const projectId of new Set(found.map((issue) => issue.projectId))) {
      if (assigneeId !== null && !(await hasAccess(tx, assigneeId, projectId)))
        return { rejected: 'assignee-without-access' }
    }
    for (const issue of found) await changeState(tx, action, { issue, event: { kind: 'assign', assigneeId } })
    return toActionResult(action, selection, found)
  })
}

/** True for a user with access to the project. */
async function hasAccess(tx: Tx, userId: string, projectId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('projects as p')
    .innerJoin('memberships as m', 'm.organization_id', 'p.organization_id')
    .select('m.role')
    .where('p.id', '=', projectId)
    .where('m.user_id', '=', userId)
    .where(hasAccessToOneOf(sql`(p.id)`))
    .executeTakeFirst()
  return row !== undefined
}
