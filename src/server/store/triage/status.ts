import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { foldDeltasOf } from '#server/store/ingest/counter-fold.ts'
import { createTagWriter } from '#server/store/ingest/tag-writer.ts'
import { findLatestRelease } from '#server/store/releases/order.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { dayMs, hourOf } from '#time/time-steps.ts'
import { startAction, type Actor } from './activity.ts'
import { changeState, selectIssues, toActionResult } from './changed-issues.ts'
import type { ActionResult, IssueSelection, SelectedIssue } from './changed-issues.ts'
import type { LifecycleEvent } from './lifecycle.ts'
import type { ArchiveCondition, ReleaseCondition } from './reopen-condition.ts'

/** A status that a user sets, with the condition that reopens the issue. */
export type StatusChange =
  | { status: 'unresolved' }
  | { status: 'resolved'; fixedIn?: { release: string } | 'next_release' }
  | { status: 'archived'; until?: ArchiveUntil }

/** Reopens an archived issue at the first of these conditions. */
export interface ArchiveUntil {
  /** Unix milliseconds. */
  at?: number
  /** Further events, in addition to its current ones. */
  moreEvents?: number
  /** Further users, in addition to its current ones. */
  moreUsers?: number
  escalates?: boolean
}

/**
 * Sets the status of issues, in one transaction. "In the next release" means after the newest release of the
 * issue's project; if the project has none, the issue is resolved now.
 */
export function recordIssueStatus(
  store: Store,
  selection: IssueSelection,
  { change, ...actor }: Actor & { change: StatusChange },
): Promise<ActionResult> {
  const action = startAction(actor)
  return store.writer.transaction().execute(async (tx) => {
    const found = await selectCounted(store, tx, { selection, change })
    for (const issue of found) {
      await changeState(tx, action, { issue, event: await toEvent(tx, issue, { change, at: action.at }) })
    }
    return toActionResult(action, selection, found)
  })
}

/**
 * The issues of a selection. If the change counts further events or users, pending deltas are folded first:
 * their events would otherwise count as further ones.
 */
async function selectCounted(
  store: Store,
  tx: Tx,
  { selection, change }: { selection: IssueSelection; change: StatusChange },
): Promise<SelectedIssue[]> {
  const found = await selectIssues(tx, selection)
  if (!countsFurther(change) || found.length === 0) return found
  const writer = createTagWriter(store)
  for (const [projectId, issues] of Map.groupBy(found, (issue) => issue.projectId))
    foldDeltasOf(writer, { projectId, issueIds: issues.map(({ issueId }) => issueId) })
  return selectIssues(tx, selection)
}

function countsFurther(change: StatusChange): boolean {
  if (change.status !== 'archived' || change.until === undefined) return false
  const { moreEvents, moreUsers, escalates = false } = change.until
  return moreEvents !== undefined || moreUsers !== undefined || escalates
}

async function toEvent(
  tx: Tx,
  issue: SelectedIssue,
  { change, at }: { change: StatusChange; at: number },
): Promise<LifecycleEvent> {
  switch (change.status) {
    case 'unresolved':
      return { kind: 'reopen', at }
    case 'resolved':
      return { kind: 'resolve', at, condition: await toReleaseCondition(tx, issue, change.fixedIn) }
    case 'archived':
  }
  const { until } = change
  const condition = until === undefined ? null : await toArchiveCondition(tx, issue, { until, at })
  return { kind: 'archive', at, condition }
}

async function toReleaseCondition(
  tx: Tx,
  { projectId }: SelectedIssue,
  fixedIn: { release: string } | 'next_release' | undefined,
): Promise<ReleaseCondition | null> {
  if (fixedIn === undefined) return null
  if (fixedIn !== 'next_release') return { kind: 'release', release: fixedIn.release }
  const latest = await findLatestRelease(tx, projectId)
  return latest ? { kind: 'next_release', after: latest.version } : null
}

async function toArchiveCondition(
  tx: Tx,
  issue: SelectedIssue,
  { until, at }: { until: ArchiveUntil; at: number },
): Promise<ArchiveCondition> {
  const { eventCount, userCount } = issue
  return {
    kind: 'archive',
    untilAt: until.at,
    ...(until.moreEvents !== undefined && {
      eventCount: eventCount + until.moreEvents,
      moreEvents: until.moreEvents,
    }),
    ...(until.moreUsers !== undefined && {
      userCount: userCount + until.moreUsers,
      moreUsers: until.moreUsers,
    }),
    ...(until.escalates === true && {
      hourLimit: await findEscalationLimit(tx, issue, at),
      hour: { at: hourOf(at), eventCount },
    }),
  }
}

/** The hourly event count above which an issue escalates: several times its busiest hour of the last days. */
async function findEscalationLimit(
  tx: Tx,
  { projectId, issueId }: SelectedIssue,
  at: number,
): Promise<number> {
  const perHour = tx
    .selectFrom('issue_hours')
    .select((of) => of.fn.sum<number>('event_count').as('event_count'))
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .where('hour', '>=', hourOf(at) - limits.escalationDays * dayMs)
    .groupBy('hour')
  const row = await tx
    .selectFrom(perHour.as('h'))
    .select(sql<number | null>`max(h.event_count)`.as('busiest'))
    .executeTakeFirst()
  return Math.max(limits.escalationEvents, (row?.busiest ?? 0) * limits.escalationFactor)
}
