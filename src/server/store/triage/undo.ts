import * as v from 'valibot'
import { noteEndedAccess } from '#server/store/accounts/ended-access.ts'
import { changeWithEvents } from '#server/store/events/moves.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startAction, writeActivity, type TriageAction, type Actor } from './activity.ts'
import { changeState, selectIssues, toActionResult } from './changed-issues.ts'
import type { IssueSelection, SelectedIssue } from './changed-issues.ts'
import { findUnmergedParts, foldMergedDeltas, mergeInto, unmergeParts } from './merge.ts'
import type { UnmergeRejection, UnmergeResult } from './merge.ts'
import { createPartStatements } from './part-statements.ts'
import { stateChange } from './state.ts'

/**
 * Undoes an action of the user, in one transaction: restores the former state of each issue. An issue that
 * another user or an event has changed since is not changed. Rejects undoing a merge that cannot be unmerged.
 */
export function recordUndo(
  store: Store,
  selection: IssueSelection,
  { actionId, ...actor }: Actor & { actionId: string },
): Promise<UnmergeResult> {
  const action = startAction(actor)
  const undo = async (tx: Tx): Promise<UnmergeResult> => {
    const found = await selectIssues(tx, selection)
    let hasFormerAssignee = false
    for (const issue of found) {
      const done = await findEntry(tx, issue, { actionId, userId: actor.userId })
      if (done === undefined) continue
      hasFormerAssignee ||= done.kind === 'assigned' || done.kind === 'merged'
      if (done.kind === 'merged') {
        // An action merges into only one issue, so nothing else has been undone here.
        const rejected = await undoMerge(store, tx, { action, issue, detail: done.detail })
        if (rejected) return { rejected }
      } else if (done.kind === 'unmerged')
        await undoUnmerge(store, tx, { action, issue, detail: done.detail })
      else await undoState(tx, action, { issue, detail: done.detail })
    }
    // The former assignee may have lost access since the action.
    if (hasFormerAssignee) await noteEndedAccess(tx)
    return toActionResult(action, selection, found)
  }
  return changeWithEvents(store, () => store.writer.transaction().execute(undo))
}

async function findEntry(
  tx: Tx,
  { projectId, issueId }: SelectedIssue,
  { actionId, userId }: { actionId: string; userId: string },
): Promise<{ kind: string; detail: unknown } | undefined> {
  const row = await tx
    .selectFrom('issue_activity')
    .select(['kind', 'detail'])
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .where('action_id', '=', actionId)
    .where('user_id', '=', userId)
    .where('kind', 'in', ['status', 'assigned', 'merged', 'unmerged'])
    .executeTakeFirst()
  return row && { kind: row.kind, detail: JSON.parse(row.detail) }
}

interface Entry {
  issue: SelectedIssue
  detail: unknown
}

async function undoState(tx: Tx, action: TriageAction, { issue, detail }: Entry): Promise<void> {
  const { success, output: change } = v.safeParse(stateChange, detail)
  if (success) await changeState(tx, action, { issue, event: { kind: 'undo', change } })
}

const mergeDetail = v.object({
  groups: v.array(v.object({ issueId: v.number(), partIds: v.array(v.number()) })),
})

/** Unmerges the issues of the merge, and restores the merges that each of them had before. */
async function undoMerge(
  store: Store,
  tx: Tx,
  { action, issue, detail }: Entry & { action: TriageAction },
): Promise<UnmergeRejection | undefined> {
  const { success, output } = v.safeParse(mergeDetail, detail)
  if (!success) return undefined
  const statements = createPartStatements(store)
  foldMergedDeltas(store, statements, [issue])
  const { projectId } = issue
  const { groups } = output
  const partIds = groups.flatMap((group) => [group.issueId, ...group.partIds])
  const { rejected } = findUnmergedParts(statements, issue, partIds)
  if (rejected) return rejected
  const became = unmergeParts(statements, issue, { partIds, at: action.at })
  for (const group of groups) {
    const issueIds = group.partIds.filter((id) => became.includes(id))
    if (issueIds.length > 0 && became.includes(group.issueId))
      mergeInto(statements, { projectId, issueId: group.issueId }, { issueIds, at: action.at })
  }
  await writeActivity(tx, action, {
    projectId,
    issueId: issue.issueId,
    kind: 'undone',
    detail: { merge: true },
  })
  return undefined
}

const unmergeDetail = v.object({ issues: v.array(v.object({ issueId: v.string() })) })

async function undoUnmerge(
  store: Store,
  tx: Tx,
  { action, issue, detail }: Entry & { action: TriageAction },
): Promise<void> {
  const { success, output } = v.safeParse(unmergeDetail, detail)
  if (!success) return
  const { projectId, issueId } = issue
  const ids = output.issues.map((each) => Number(each.issueId))
  if (ids.length === 0) return
  const rows = await tx
    .selectFrom('issues')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute()
  if (rows.length === 0) return
  const statements = createPartStatements(store)
  const issueIds = rows.map(({ id }) => id)
  foldMergedDeltas(store, statements, [issue, ...issueIds.map((id) => ({ projectId, issueId: id }))])
  mergeInto(statements, { projectId, issueId }, { issueIds, at: action.at })
  await writeActivity(tx, action, { projectId, issueId, kind: 'undone', detail: { unmerge: true } })
}
