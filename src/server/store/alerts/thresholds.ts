import type { Transaction } from 'kysely'
import type { AlertThreshold } from '#alerts/rule.ts'
import { isBackToNormal, startOfWindow, stepThreshold } from '#alerts/threshold.ts'
import type { WindowCounts } from '#alerts/threshold.ts'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { queueTransitions } from './queue.ts'
import type { QueuedTransition } from './queue.ts'
import { listAlertRules } from './rules.ts'
import type { ParsedRules, StoredRule } from './rules.ts'
import { readIssueSubjects } from './subjects.ts'
import { noCounts, readWindowCounts } from './window-counts.ts'

/** When something was done last, by what it was done to. Unix milliseconds. */
export type ThresholdTurns = Map<string, number>

export interface CompareOptions {
  /** Unix milliseconds. */
  now: number
  /** Both kept from one call to the next. */
  parsedRules?: ParsedRules
  turns: ThresholdTurns
}

type WatchingRule = StoredRule & { threshold: AlertThreshold }

/** What becomes of a threshold for an issue. */
interface ThresholdChange {
  rule: WatchingRule
  projectId: number
  issueId: number
  isFired: boolean
  /** When it had fired before; undefined: it is armed. */
  firedAt?: number
}

/**
 * Compares what was counted with the thresholds of rules, those that are due, and queues a transition for
 * each one that an issue has crossed. The state is in the store: a crossing is queued once, by one of several
 * processes. Returns how many were queued.
 */
export async function compareThresholds(store: Store, options: CompareOptions): Promise<number> {
  if (!takeTurn(options, 'rules', limits.alertTickMs)) return 0
  const rules = await listAlertRules(store.db, undefined, options.parsedRules)
  const watching = rules.flatMap((each): WatchingRule[] => {
    const { isEnabled, threshold, transitions } = each.rule
    return isEnabled && threshold !== undefined && transitions.includes('threshold')
      ? [{ ...each, threshold }]
      : []
  })
  if (watching.length === 0) return 0
  const projects = await store.db.selectFrom('projects').select(['id', 'organization_id']).execute()
  let count = 0
  for (const { id: projectId, organization_id } of projects) {
    const rulesOf = watching.filter(
      (rule) =>
        rule.organizationId === organization_id &&
        (rule.projectId === undefined || rule.projectId === projectId),
    )
    const isDue = ({ id, threshold: { windowMs } }: WatchingRule) =>
      takeTurn(options, `compare ${id} ${projectId}`, Math.min(windowMs / 60, limits.alertCompareMs))
    const due = rulesOf.filter(isDue)
    if (due.length > 0) count += await compareProject(store, { projectId, rules: due, now: options.now })
    await deleteOldCounts(store, { projectId, rules: rulesOf }, options)
  }
  return count
}

/** True if the last time is so long ago, or the clock was set back. */
function takeTurn({ now, turns }: CompareOptions, what: string, intervalMs: number): boolean {
  if (Math.abs(now - (turns.get(what) ?? -Infinity)) < intervalMs) return false
  turns.set(what, now)
  return true
}

async function compareProject(
  store: Store,
  { projectId, rules, now }: { projectId: number; rules: readonly WatchingRule[]; now: number },
): Promise<number> {
  const states = await store.db
    .selectFrom('alert_thresholds')
    .select(['issue_id', 'rule_id', 'fired_at'])
    .where('project_id', '=', projectId)
    .where(
      'rule_id',
      'in',
      rules.map(({ id }) => id),
    )
    .execute()
  const changes: ThresholdChange[] = []
  for (const alike of Map.groupBy(rules, ({ threshold }) => toCountKey(threshold)).values()) {
    const counts = await readCounts(store, { projectId, rules: alike, now })
    for (const rule of alike) changes.push(...listChanges(rule, { projectId, counts, states, now }))
  }
  return changes.length === 0 ? 0 : writeChanges(store, { projectId, changes, now })
}

/** Thresholds with the same key are compared with the same counts. */
function toCountKey({ of, unit, windowMs }: AlertThreshold): string {
  return `${of} ${unit} ${windowMs}`
}

/** Issues that are missing have less than half of what the lowest threshold needs. */
async function readCounts(
  { db }: Store,
  { projectId, rules, now }: { projectId: number; rules: readonly WatchingRule[]; now: number },
): Promise<Map<number, WindowCounts>> {
  const [first] = rules
  if (first === undefined) return new Map()
  const { of, unit, windowMs } = first.threshold
  const lowest = Math.min(...rules.map(({ threshold }) => threshold.atLeast))
  return readWindowCounts(db, {
    projectId,
    windowMs,
    of,
    now,
    ...(unit === 'count' && { atLeast: lowest / 2 }),
  })
}

interface CountedIssues {
  projectId: number
  counts: ReadonlyMap<number, WindowCounts>
  states: readonly { issue_id: number; rule_id: string; fired_at: number }[]
  now: number
}

/** The issues that cross a threshold, and those that are back to normal. */
function listChanges(
  rule: WatchingRule,
  { projectId, counts, states, now }: CountedIssues,
): ThresholdChange[] {
  const { threshold } = rule
  const firedAts = new Map(
    states.filter((state) => state.rule_id === rule.id).map((state) => [state.issue_id, state.fired_at]),
  )
  const issueIds = new Set([...counts.keys(), ...firedAts.keys()])
  return [...issueIds].flatMap((issueId): ThresholdChange[] => {
    const firedAt = firedAts.get(issueId)
    const counted = counts.get(issueId) ?? noCounts
    const { isFired } = stepThreshold(
      threshold,
      { isArmed: firedAt === undefined, firedAt },
      { counts: counted, now, throttleMs: rule.rule.throttleMs },
    )
    const isOver = firedAt !== undefined && isBackToNormal(threshold, counted)
    return isFired || isOver ? [{ rule, projectId, issueId, isFired, firedAt }] : []
  })
}

async function writeChanges(
  store: Store,
  { projectId, changes, now }: { projectId: number; changes: readonly ThresholdChange[]; now: number },
): Promise<number> {
  const subjects = await readIssueSubjects(store.db, {
    projectId,
    issueIds: changes.map(({ issueId }) => issueId),
  })
  return store.writer.transaction().execute(async (tx) => {
    const queued: QueuedTransition[] = []
    for (const change of changes) {
      const isOwn = await writeState(tx, change, now)
      const kind = change.isFired ? 'threshold' : 'normal'
      if (!isOwn || !change.rule.rule.transitions.includes(kind)) continue
      const { issueId, rule } = change
      const { tags = {}, path, release } = subjects.get(issueId) ?? {}
      const cause = { ruleId: rule.id, tags: Object.entries(tags), path, release }
      queued.push({ projectId, issueId, kind, at: now, cause })
    }
    await queueTransitions(tx, queued)
    return queued.length
  })
}

/** Returns whether this process has made the change, and not another one. */
async function writeState(
  tx: Transaction<Database>,
  { rule, projectId, issueId, isFired, firedAt }: ThresholdChange,
  now: number,
): Promise<boolean> {
  const key = { project_id: projectId, issue_id: issueId, rule_id: rule.id }
  if (firedAt === undefined) {
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('alert_thresholds')
      .values({ ...key, fired_at: now })
      .onConflict((on) => on.doNothing())
      .executeTakeFirst()
    return Number(numInsertedOrUpdatedRows) > 0
  }
  const isKey = { ...key, fired_at: firedAt }
  if (isFired) {
    const { numUpdatedRows } = await tx
      .updateTable('alert_thresholds')
      .set({ fired_at: now })
      .where((is) => is.and(isKey))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  const { numDeletedRows } = await tx
    .deleteFrom('alert_thresholds')
    .where((is) => is.and(isKey))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Deletes what no window needs any more, once in each window, so that there are counts of three windows at
 * most. Retention deletes what remains of rules that are gone.
 */
async function deleteOldCounts(
  store: Store,
  { projectId, rules }: { projectId: number; rules: readonly WatchingRule[] },
  options: CompareOptions,
): Promise<void> {
  for (const windowMs of new Set(rules.map(({ threshold }) => threshold.windowMs))) {
    if (!takeTurn(options, `delete ${windowMs} ${projectId}`, windowMs)) continue
    await store.writer
      .deleteFrom('alert_windows')
      .where('project_id', '=', projectId)
      .where('window_ms', '=', windowMs)
      .where('bucket_at', '<', startOfWindow(windowMs, options.now) - windowMs)
      .execute()
  }
}
