import { sql } from 'kysely'
import type { Transaction } from 'kysely'
import { limits } from '#server/limits.ts'
import { findLatestRelease } from '#server/store/releases/order.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { dayMs, hourOf } from '#time/time-steps.ts'
import { startAction } from './activity.ts'
import type { Actor } from './activity.ts'
import { selectIssues, toActionResult, writeState } from './changed-issues.ts'
import type { ActionResult, IssueSelection, SelectedIssue } from './changed-issues.ts'
import { formatIssueTerms } from './terms.ts'
import type { ArchiveTerms, IssueTerms } from './terms.ts'

/** A status that somebody sets, and what shall bring the issue back. */
export type StatusChange =
  | { status: 'unresolved' }
  | { status: 'resolved'; fixedIn?: { release: string } | 'next_release' }
  | { status: 'archived'; until?: ArchiveUntil }

/** Until when an issue shall be archived; whatever comes true first. */
export interface ArchiveUntil {
  /** Unix milliseconds. */
  at?: number
  /** More events than it has now. */
  moreEvents?: number
  /** More users than it has now. */
  moreUsers?: number
  escalates?: boolean
}

/**
 * Sets the status of issues, in one transaction. An issue that is exactly so already keeps its time, so that
 * a form sent twice moves nothing. "In the next release" is after the newest one of the issue's project;
 * where the project has none, it is resolved now.
 */
export function recordIssueStatus(
  store: Store,
  selection: IssueSelection,
  { change, ...actor }: Actor & { change: StatusChange },
): Promise<ActionResult> {
  const action = startAction(actor)
  return store.writer.transaction().execute(async (tx) => {
    const found = await selectIssues(tx, selection)
    for (const issue of found) {
      const terms = formatIssueTerms(await termsOf(tx, issue, { change, at: action.at }))
      const { state: before, projectId, issueId } = issue
      if (before.status === change.status && before.terms === terms) continue
      const after = {
        ...before,
        status: change.status,
        terms,
        statusChangedAt: action.at,
        isRegressed: false,
      } as const
      await writeState(tx, action, { projectId, issueId, before, after, kind: 'status' })
    }
    return toActionResult(action, selection, found)
  })
}

interface DatedChange {
  change: StatusChange
  at: number
}

async function termsOf(
  tx: Transaction<Database>,
  issue: SelectedIssue,
  { change, at }: DatedChange,
): Promise<IssueTerms | undefined> {
  if (change.status === 'unresolved') return undefined
  if (change.status === 'archived') {
    return change.until === undefined ? undefined : archiveTerms(tx, issue, { until: change.until, at })
  }
  if (change.fixedIn === undefined) return undefined
  if (change.fixedIn !== 'next_release') return { kind: 'release', release: change.fixedIn.release }
  const latest = await findLatestRelease(tx, issue.projectId)
  return latest && { kind: 'next_release', after: latest.version }
}

async function archiveTerms(
  tx: Transaction<Database>,
  issue: SelectedIssue,
  { until, at }: { until: ArchiveUntil; at: number },
): Promise<ArchiveTerms> {
  const counts = await tx
    .selectFrom('issues')
    .select(['event_count', 'user_count'])
    .where('project_id', '=', issue.projectId)
    .where('id', '=', issue.issueId)
    .executeTakeFirstOrThrow()
  return {
    kind: 'archive',
    ...(until.at !== undefined && { untilAt: until.at }),
    ...(until.moreEvents !== undefined && { eventCount: counts.event_count + until.moreEvents }),
    ...(until.moreUsers !== undefined && { userCount: counts.user_count + until.moreUsers }),
    ...(until.escalates === true && {
      hourLimit: await findEscalationLimit(tx, issue, at),
      hour: { at: hourOf(at), eventCount: counts.event_count },
    }),
  }
}

/**
 * Events an hour beyond which the issue is worse than it has been: several times the busiest hour of its last
 * days.
 */
async function findEscalationLimit(
  tx: Transaction<Database>,
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
