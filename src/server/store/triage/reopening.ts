import { limits } from '#server/limits.ts'
import { toEventCause } from '#server/store/alerts/queue.ts'
import type { IssueBatchCounts } from '#server/store/ingest/issue-batch-counts.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import { compareReleaseOfEvent } from '#server/store/releases/order.ts'
import type { Store } from '#server/store/store.ts'
import { startSystemAction } from './activity.ts'
import { findTransition, type LifecycleEvent } from './lifecycle.ts'
import type { ReleaseCondition } from './reopen-condition.ts'
import { issueStateColumns, toIssueState } from './state.ts'
import { writeTransition, writeTransitionIn, type TransitionTarget } from './transition-writer.ts'

/**
 * Reopens a resolved or archived issue if the events of the batch meet its condition: a regression by release
 * order, or the end of an archive by events, time or escalation. Call inside the batch's transaction, before
 * the events are counted.
 */
export function reopenByEvents(statements: IngestStatements, { issue, ...counts }: IssueBatchCounts): void {
  applySystemEvent(statements, issue, (formerEventCount) => ({
    causedBy: counts.newest,
    kind: 'events',
    at: counts.newest.receivedAt,
    formerEventCount,
    eventCount: formerEventCount + counts.eventCount,
    releases: counts.releases,
    compareRelease: (version, condition, setAt) =>
      compareReleaseOfEvent(statements, issue.projectId, { version, ...comparedOf(condition, setAt) }),
  }))
}

/**
 * Users may name a future release. The newest one of the project existed when they said "next": if it is
 * missing, it was deleted since.
 */
function comparedOf(condition: ReleaseCondition, setAt: number) {
  return condition.kind === 'release'
    ? { than: condition.release, missingAt: Infinity }
    : { than: condition.after, missingAt: setAt }
}

/** Reopens an issue that was archived until it affects a number of users. Call inside a transaction. */
export function reopenByUsers(
  statements: IngestStatements,
  issue: TransitionTarget,
  users: { userCount: number; at: number },
): void {
  applySystemEvent(statements, issue, () => ({ kind: 'users', ...users }))
}

/** `causedBy`: the event, for alert rules. */
type SystemEvent = LifecycleEvent & { at: number; causedBy?: EventRecord }

function applySystemEvent(
  statements: IngestStatements,
  target: TransitionTarget,
  toEvent: (eventCount: number) => SystemEvent,
): void {
  const { readState } = target.isPart ? statements.parts : statements
  const row = readState.get(target.projectId, target.issueId)
  if (row === undefined) return
  const { causedBy, ...event } = toEvent(Number(row['event_count']))
  const transition = findTransition(toIssueState(row), event)
  if (transition === undefined) return
  writeTransition(statements.transitions, {
    target,
    transition,
    action: startSystemAction(event.at),
    cause: causedBy && toEventCause(causedBy),
  })
}

/**
 * Reopens archived issues whose time has passed, at most `limits.archiveEndsAtOnce`, in one transaction.
 * Returns their number.
 */
export async function reopenByTime(store: Store, now: number): Promise<number> {
  const due = store.db
    .selectFrom('issues as i')
    .select(['i.project_id', 'i.id'])
    .select(issueStateColumns)
    .where('i.archived_until_at', '<=', now)
    .where('i.status', '=', 'archived')
    .limit(limits.archiveEndsAtOnce)
  // Usually there are none, and a read needs no lock.
  if ((await due.execute()).length === 0) return 0
  return store.writer.transaction().execute(async (tx) => {
    const { rows } = await tx.executeQuery(due.compile())
    for (const row of rows) {
      const transition = findTransition(toIssueState(row), { kind: 'time', at: now })
      const target = { projectId: row.project_id, issueId: row.id, isPart: false }
      if (transition) await writeTransitionIn(tx, { target, transition, action: startSystemAction(now) })
    }
    return rows.length
  })
}
