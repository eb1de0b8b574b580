import { limits } from '#server/limits.ts'
import { noteEndedAccess } from '#server/store/accounts/ended-access.ts'
import { changeWithEvents, startEventMoves } from '#server/store/events/moves.ts'
import { foldDeltasOf } from '#server/store/ingest/counter-fold.ts'
import { createTagWriter } from '#server/store/ingest/tag-writer.ts'
import type { IssueKey } from '#server/store/issues/records.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { startAction, writeActivity, type TriageAction, type Actor } from './activity.ts'
import { selectIssues, toActionResult } from './changed-issues.ts'
import type { ActionResult, IssueSelection, SelectedIssue } from './changed-issues.ts'
import { createPartStatements, type PartStatements } from './part-statements.ts'
import {
  dropPart,
  ensureOwnPart,
  joinIssue,
  listPartIds,
  ownPartId,
  recountParts,
  splitPart,
} from './parts.ts'

/** The reason why nothing was merged. */
export type MergeRejection = 'different-projects' | 'fewer-than-two' | 'too-many-events'

export type MergeResult = (ActionResult & { intoId: number }) | { rejected: MergeRejection }

/**
 * Merges issues of one project into one of them: `intoId`, or the one with the most events. In one
 * transaction, so that an event that is committed meanwhile is counted either before or after it. The events
 * are moved in further transactions; when the function resolves, all have been moved.
 */
export function recordMerge(
  store: Store,
  selection: IssueSelection,
  { intoId, ...actor }: Actor & { intoId?: number },
): Promise<MergeResult> {
  const action = startAction(actor)
  const merge = async (tx: Tx): Promise<MergeResult> => {
    const found = await selectIssues(tx, selection)
    if (found.length < 2) return { rejected: 'fewer-than-two' }
    if (new Set(found.map(({ projectId }) => projectId)).size > 1) return { rejected: 'different-projects' }
    const statements = createPartStatements(store)
    const largest = found.toSorted((one, other) => other.eventCount - one.eventCount)
    const into = found.find(({ issueId }) => issueId === intoId) ?? largest[0]
    if (into === undefined) return { rejected: 'fewer-than-two' }
    const sources = found.filter((issue) => issue !== into)
    if (sources.reduce((sum, { keptEventCount }) => sum + keptEventCount, 0) > limits.mergedEvents)
      return { rejected: 'too-many-events' }
    foldMergedDeltas(store, statements, found)
    const groups = sources.map(({ projectId, issueId }) => ({
      issueId,
      partIds: listPartIds(statements, { projectId, issueId }).filter((id) => id !== ownPartId(issueId)),
    }))
    mergeInto(statements, into, { issueIds: sources.map(({ issueId }) => issueId), at: action.at })
    await writeMergeActivity(tx, action, { into, sources, groups })
    return { ...toActionResult(action, selection, found), intoId: into.issueId }
  }
  return changeWithEvents(store, () => store.writer.transaction().execute(merge))
}

/**
 * Folds pending deltas of issues of one project and of their parts. Deltas contain the ids of issues and
 * parts at the time of the events, so they are folded before a merge and before an unmerge.
 */
export function foldMergedDeltas(
  store: Store,
  statements: PartStatements,
  issues: readonly IssueKey[],
): void {
  const [first] = issues
  if (first === undefined) return
  const issueIds = issues.flatMap((issue) => [issue.issueId, ...listPartIds(statements, issue)])
  foldDeltasOf(createTagWriter(store), { projectId: first.projectId, issueIds })
}

/** Merges issues into one, whose counters are from then on the sum of all. */
export function mergeInto(
  statements: PartStatements,
  { projectId, issueId: intoId }: IssueKey,
  { issueIds, at }: { issueIds: readonly number[]; at: number },
): void {
  ensureOwnPart(statements, { projectId, issueId: intoId }, at)
  for (const issueId of issueIds) joinIssue(statements, { projectId, issueId, intoId, at })
  recountParts(statements, { projectId, issueId: intoId })
  startEventMoves(statements, { projectId, ids: issueIds, by: 'issue' })
}

interface Merge {
  into: SelectedIssue
  sources: SelectedIssue[]
  groups: { issueId: number; partIds: number[] }[]
}

async function writeMergeActivity(
  tx: Tx,
  action: TriageAction,
  { into, sources, groups }: Merge,
): Promise<void> {
  const { projectId } = into
  const issues = sources.map(({ issueId, title, shortId }) => ({ issueId: String(issueId), title, shortId }))
  await writeActivity(tx, action, {
    projectId,
    issueId: into.issueId,
    kind: 'merged',
    detail: { issues, groups },
  })
  for (const { issueId } of sources) {
    const detail = { into: { issueId: String(into.issueId), title: into.title, shortId: into.shortId } }
    await writeActivity(tx, action, { projectId, issueId, kind: 'merged_into', detail })
  }
}

/** The reason why nothing was unmerged: no such parts, or the issue would have no events left. */
export type UnmergeRejection = 'no-such-part' | 'nothing-left'

export type UnmergeResult = ActionResult | { rejected: UnmergeRejection }

/**
 * Unmerges parts of an issue, in one transaction: each becomes a separate issue again, as if it had never
 * been merged. Their events are moved in further transactions. A part without events is deleted; its next
 * event opens a new issue.
 */
export function recordUnmerge(
  store: Store,
  selection: IssueSelection,
  { partIds, ...actor }: Actor & { partIds: readonly number[] },
): Promise<UnmergeResult> {
  const action = startAction(actor)
  const unmerge = async (tx: Tx): Promise<UnmergeResult> => {
    const found = await selectIssues(tx, selection)
    const [issue] = found
    if (issue === undefined) return toActionResult(action, selection, found)
    const statements = createPartStatements(store)
    foldMergedDeltas(store, statements, [issue])
    const { taken, rejected } = findUnmergedParts(statements, issue, partIds)
    if (rejected) return { rejected }
    unmergeParts(statements, issue, { partIds: taken.map(({ id }) => id), at: action.at })
    const { projectId, issueId } = issue
    const issues = taken.map(({ id, title }) => ({ issueId: String(id), title }))
    await writeActivity(tx, action, { projectId, issueId, kind: 'unmerged', detail: { issues } })
    for (const { id } of taken) {
      const detail = { from: { issueId: String(issueId), title: issue.title, shortId: issue.shortId } }
      await writeActivity(tx, action, { projectId, issueId: id, kind: 'unmerged_from', detail })
    }
    // A part keeps its assignee, who may have lost access since the merge.
    await noteEndedAccess(tx)
    return toActionResult(action, selection, found)
  }
  return changeWithEvents(store, () => store.writer.transaction().execute(unmerge))
}

/** The given parts that the issue has, and the reason why they cannot be unmerged. Requires folded deltas. */
export function findUnmergedParts(
  statements: PartStatements,
  issue: IssueKey,
  partIds: readonly number[],
): { taken: { id: number; title: string }[]; rejected?: UnmergeRejection } {
  const parts = readParts(statements, issue)
  const taken = parts.filter(({ id }) => id !== ownPartId(issue.issueId) && partIds.includes(id))
  if (taken.length === 0) return { taken, rejected: 'no-such-part' }
  const isKept = parts.some((part) => !taken.includes(part) && part.keptEventCount > 0)
  return isKept ? { taken } : { taken, rejected: 'nothing-left' }
}

/**
 * Makes parts separate issues again, and the issue the sum of the remaining parts. Returns the ids of the new
 * issues.
 */
export function unmergeParts(
  statements: PartStatements,
  issue: IssueKey,
  { partIds, at }: { partIds: readonly number[]; at: number },
): number[] {
  const { projectId } = issue
  const became: number[] = []
  for (const { id, keptEventCount } of readParts(statements, issue)) {
    if (!partIds.includes(id)) continue
    if (keptEventCount === 0) {
      dropPart(statements, { projectId, partId: id, at })
    } else {
      splitPart(statements, { projectId, partId: id })
      became.push(id)
    }
  }
  recountParts(statements, issue)
  startEventMoves(statements, { projectId, ids: became, by: 'part' })
  return became
}

function readParts({ all }: PartStatements, { projectId, issueId }: IssueKey) {
  const rows = all`SELECT id, title, event_count - expired_event_count AS kept FROM issue_parts
    WHERE project_id = ${projectId} AND issue_id = ${issueId} ORDER BY id`
  return rows.map(({ id, title, kept }) => ({
    id: Number(id),
    title: String(title),
    keptEventCount: Number(kept),
  }))
}
