import type { Transaction } from 'kysely'
import { formatShortId } from '#server/store/issues/id.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'
import type { Database } from '#server/store/schema/database.ts'
import { writeActivity } from './activity.ts'
import type { Action, ActivityKind, StateChange } from './activity.ts'
import { fromIssueState, issueStateColumns, toIssueState } from './state.ts'
import type { IssueState } from './state.ts'

/** The issues that somebody wants to change. */
export interface IssueSelection {
  issueIds: readonly number[]
  /** Those in which whoever asks may change issues: one of another is not found. */
  projectIds: readonly number[]
}

/** An issue that somebody may change, and how it is now. */
export interface SelectedIssue {
  projectId: number
  issueId: number
  title: string
  shortId: string
  eventCount: number
  keptEventCount: number
  state: IssueState
}

/** What an action did: which issues it changed, and which of those it was asked for are not there. */
export interface ActionResult {
  /** Takes the action back. */
  actionId: string
  /** The issues it was for, changed or already so. */
  issueIds: number[]
  missingIds: number[]
  /** By issue: the status it had. */
  formerStatuses: Record<number, IssueStatus>
}

/**
 * The chosen issues that are there. A cross join for the reason given in `findIssue`: no index leads with the
 * issue's id alone.
 */
export async function selectIssues(
  tx: Transaction<Database>,
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
      'i.expired_event_count',
      'p.slug',
    ])
    .select(issueStateColumns)
    .where('p.id', 'in', projectIds)
    .whereRef('i.project_id', '=', 'p.id')
    .where('i.id', 'in', issueIds)
    .execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    issueId: row.id,
    title: row.title,
    shortId: formatShortId(row.slug, row.number),
    eventCount: row.event_count,
    keptEventCount: row.event_count - row.expired_event_count,
    state: toIssueState(row),
  }))
}

/** Those of a selection that were not found. */
export function toActionResult(
  { actionId }: Pick<Action, 'actionId'>,
  { issueIds }: IssueSelection,
  found: readonly SelectedIssue[],
): ActionResult {
  const known = new Set(found.map(({ issueId }) => issueId))
  return {
    actionId,
    issueIds: issueIds.filter((id) => known.has(id)),
    missingIds: issueIds.filter((id) => !known.has(id)),
    formerStatuses: Object.fromEntries(found.map(({ issueId, state }) => [issueId, state.status])),
  }
}

/** Writes an issue's new state and notes who made it so. Inside the action's transaction. */
export async function writeState(
  tx: Transaction<Database>,
  action: Action,
  { projectId, issueId, before, after, kind }: StateChange & { kind: ActivityKind },
): Promise<void> {
  await tx
    .updateTable('issues')
    .set(fromIssueState(after))
    .where('project_id', '=', projectId)
    .where('id', '=', issueId)
    .execute()
  await writeActivity(tx, action, { projectId, issueId, kind, detail: { before, after } })
}
