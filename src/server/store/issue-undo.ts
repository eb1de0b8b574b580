import type { Transaction } from 'kysely'
import { selectIssues, toActionResult, writeState } from './changed-issues.ts'
import type { ActionResult, IssueSelection, SelectedIssue } from './changed-issues.ts'
import type { Store } from './database.ts'
import { startAction } from './issue-activity.ts'
import type { Actor } from './issue-activity.ts'
import { isSameState, parseIssueState } from './issue-state.ts'
import type { IssueState } from './issue-state.ts'
import type { Database } from './schema.ts'

/**
 * Takes back what somebody's own action did to issues, in one transaction: each gets the state it had before. An issue that
 * has been changed since, by somebody else or by an event, is left as it is.
 */
export function recordUndo(
  store: Store,
  selection: IssueSelection,
  { actionId, ...actor }: Actor & { actionId: string },
): Promise<ActionResult> {
  const action = startAction(actor)
  return store.writer.transaction().execute(async (tx) => {
    const found = await selectIssues(tx, selection)
    for (const issue of found) {
      const done = await findChange(tx, issue, { actionId, userId: actor.userId })
      if (done === undefined || !isSameState(issue.state, done.after)) continue
      const { projectId, issueId, state: before } = issue
      await writeState(tx, action, { projectId, issueId, before, after: done.before, kind: 'undone' })
    }
    return toActionResult(action, selection, found)
  })
}

async function findChange(
  tx: Transaction<Database>,
  { projectId, issueId }: SelectedIssue,
  { actionId, userId }: { actionId: string; userId: string },
): Promise<{ before: IssueState; after: IssueState } | undefined> {
  const row = await tx
    .selectFrom('issue_activity')
    .select('detail')
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .where('action_id', '=', actionId)
    .where('user_id', '=', userId)
    .where('kind', 'in', ['status', 'assigned'])
    .executeTakeFirst()
  const detail: unknown = row && JSON.parse(row.detail)
  if (typeof detail !== 'object' || detail === null) return undefined
  const before = parseIssueState(Reflect.get(detail, 'before'))
  const after = parseIssueState(Reflect.get(detail, 'after'))
  return before && after && { before, after }
}
