import { formatShortId } from '#server/store/issues/id.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { TriageAction } from './activity.ts'
import { findTransition, type LifecycleEvent } from './lifecycle.ts'
import { issueStateColumns, toIssueState, type IssueState } from './state.ts'
import { writeTransitionIn } from './transition-writer.ts'

/** The issues of an action. */
export interface IssueSelection {
  issueIds: readonly number[]
  /** Projects in which the user may change issues. Issues of other projects are not found. */
  projectIds: readonly number[]
}

/** The current state of an issue in an action. */
export interface SelectedIssue {
  projectId: number
  issueId: number
  title: string
  shortId: string
  eventCount: number
  userCount: number
  keptEventCount: number
  state: IssueState
}

/** The result of an action. */
export interface ActionResult {
  /** The id for undo. */
  actionId: string
  /** All found issues, including those that the action did not change. */
  issueIds: number[]
  /** The former status by issue. */
  formerStatuses: Record<number, IssueStatus>
}

/**
 * The existing issues of a selection by project, oldest first: of issues with equal event counts, a merge
 * keeps the oldest. A cross join for the reason given in `findIssue`: no index begins with the issue's id.
 */
export async function selectIssues(
  tx: Tx,
  { issueIds, projectIds }: IssueSelection,
): Promise<SelectedIssue[]> {
  if (issueIds.length === 0 || projectIds.length === 0) return []
  const rows = await tx
    .selectFrom('projects as p')
    .crossJoin('issues as i')
    .select([
      'i.project_id',
      'i.id',
      'i.title',
      'i.number',
      'i.event_count',
      'i.user_count',
      'i.expired_event_count',
      'p.slug',
    ])
    .select(issueStateColumns)
    .where('p.id', 'in', projectIds)
    .whereRef('i.project_id', '=', 'p.id')
    .where('i.id', 'in', issueIds)
    .orderBy('i.project_id')
    .orderBy('i.number')
    .execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    issueId: row.id,
    title: row.title,
    shortId: formatShortId(row.slug, row.number),
    eventCount: row.event_count,
    userCount: row.user_count,
    keptEventCount: row.event_count - row.expired_event_count,
    state: toIssueState(row),
  }))
}

/** The result of an action on the issues that were found. */
export function toActionResult(
  { actionId }: Pick<TriageAction, 'actionId'>,
  { issueIds }: IssueSelection,
  found: readonly SelectedIssue[],
): ActionResult {
  const known = new Set(found.map(({ issueId }) => issueId))
  return {
    actionId,
    issueIds: issueIds.filter((id) => known.has(id)),
    formerStatuses: Object.fromEntries(found.map(({ issueId, state }) => [issueId, state.status])),
  }
}

/** Applies an event to an issue: writes its state and the activity. Call inside the action's transaction. */
export async function changeState(
  tx: Tx,
  action: TriageAction,
  { issue, event }: { issue: SelectedIssue; event: LifecycleEvent },
): Promise<void> {
  const transition = findTransition(issue.state, event)
  if (transition) await writeTransitionIn(tx, { target: { ...issue, isPart: false }, transition, action })
}
