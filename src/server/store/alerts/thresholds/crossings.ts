import type { AlertCondition } from '#alerts/decide.ts'
import type { AlertRule, AlertThreshold } from '#alerts/rule.ts'
import { formatThreshold } from '#alerts/sentence.ts'
import { listCrossings, stepThreshold, type PastEvent } from '#alerts/threshold.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import { dayMs } from '#time/time-steps.ts'
import { noCounts, readWindowCounts } from './window-counts.ts'

/** A past transition. `at` in Unix milliseconds. */
export interface PastTransition {
  projectId: number
  issueId: number
  kind: AlertTransition
  at: number
  /** The user who caused it. */
  by?: string | undefined
  /** Users mentioned in the comment. */
  mentionedIds?: readonly string[] | undefined
}

/**
 * When the threshold of a rule would have been crossed since an instant, computed from the newest events of
 * the issues with the most events. One statement, plus one per issue; none for a rule without a threshold.
 */
export async function listPastCrossings(
  db: Db,
  { rule, projectId, since }: { rule: AlertRule; projectId: number; since: number },
): Promise<PastTransition[]> {
  if (rule.threshold === undefined) return []
  const busiest = await db
    .selectFrom('issues')
    .select('id')
    .where('project_id', '=', projectId)
    .where('last_seen_at', '>=', since)
    .orderBy('event_count', 'desc')
    .limit(limits.alertDryRunIssues)
    .execute()
  const found = busiest.map(async ({ id: issueId }) =>
    toTransitions(rule, { projectId, issueId }, await listPastEvents(db, { projectId, issueId, since })),
  )
  return (await Promise.all(found)).flat()
}

/** The state of the rules' thresholds for an issue. */
export interface IssueThresholds {
  /** When the threshold of a rule would have been crossed in the last day. */
  listCrossingsOf: (rule: AlertRule) => PastTransition[]
  /** The current count for a rule's threshold; empty for a rule without one. */
  checkCount: (rule: AlertRule) => AlertCondition[]
}

/** Reads the counts for thresholds. One statement per window, and one for events, in parallel. */
export async function readThresholds(
  db: Db,
  {
    thresholds,
    projectId,
    issueId,
    now,
  }: { thresholds: readonly AlertThreshold[]; projectId: number; issueId: number; now: number },
): Promise<IssueThresholds> {
  const issue = { projectId, issueId }
  const windows = new Map(thresholds.map((each) => [toWindowKey(each), each]))
  const [events, ...counts] = await Promise.all([
    thresholds.length === 0 ? [] : listPastEvents(db, { ...issue, since: now - dayMs }),
    ...windows
      .values()
      // Thresholds in numbers and in percent share the counts.
      .map(({ windowMs, of }) => readWindowCounts(db, { ...issue, windowMs, of, unit: 'percent', now })),
  ])
  const countsOf = new Map([...windows.keys()].map((key, at) => [key, counts[at] ?? noCounts]))
  return {
    listCrossingsOf: (rule) => toTransitions(rule, issue, events),
    checkCount: ({ threshold }) => {
      if (threshold === undefined) return []
      const { of, unit } = threshold
      const counted = countsOf.get(toWindowKey(threshold)) ?? noCounts
      const step = { counts: counted, now, throttleMs: 0 }
      const before = unit === 'percent' ? `, ${counted.formerCount} before` : ''
      return [
        {
          expected: formatThreshold(threshold),
          actual: `${counted.count} ${of}${before}`,
          isMet: stepThreshold(threshold, { isArmed: true }, step).isFired,
        },
      ]
    },
  }
}

/** Thresholds with the same key use the same counts. */
function toWindowKey({ of, windowMs }: AlertThreshold): string {
  return `${of} ${windowMs}`
}

function toTransitions(
  { threshold, throttleMs }: AlertRule,
  issue: { projectId: number; issueId: number },
  events: readonly PastEvent[],
): PastTransition[] {
  if (threshold === undefined) return []
  return listCrossings(threshold, events, throttleMs).map((at) =>
    Object.assign({ kind: 'threshold' as const, at }, issue),
  )
}

/** The newest events of an issue, in order of time. */
async function listPastEvents(
  db: Db,
  { projectId, issueId, since }: { projectId: number; issueId: number; since: number },
): Promise<PastEvent[]> {
  const newest = await db
    .selectFrom('events')
    .select(['occurred_at', 'user_hash'])
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .where('occurred_at', '>=', since)
    .orderBy('occurred_at', 'desc')
    .limit(limits.alertDryRunEvents)
    .execute()
  return newest.map((row) => ({ at: row.occurred_at, userHash: row.user_hash })).toReversed()
}
