import type { Transaction } from 'kysely'
import type { AlertThreshold } from '#alerts/rule.ts'
import { isBackToNormal, startOfWindow, stepThreshold } from '#alerts/threshold.ts'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { readPastSubjects } from './history.ts'
import { queueTransitions } from './queue.ts'
import type { QueuedTransition } from './queue.ts'
import { listAlertRules } from './rules.ts'
import type { ParsedRules, StoredRule } from './rules.ts'
import { noCounts, readWindowCounts } from './window-counts.ts'

/** When the counts of a rule in a project were compared last, by rule and project. Unix milliseconds. */
export type ComparedAt = Map<string, number>

export interface CompareOptions {
  /** Unix milliseconds. */
  now: number
  /** Both kept from one call to the next. */
  parsedRules?: ParsedRules
  comparedAt: ComparedAt
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
    const due = watching.filter(
      (rule) =>
        rule.organizationId === organization_id &&
        (rule.projectId === undefined || rule.projectId === projectId) &&
        takeTurn(rule, projectId, options),
    )
    if (due.length > 0) count += await compareProject(store, { projectId, rules: due, now: options.now })
  }
  return count
}

/** A fifth of a twelfth of the window after the last comparison, and `limits.alertCompareMs` at most. */
function takeTurn(
  { id, threshold: { windowMs } }: WatchingRule,
  projectId: number,
  { now, comparedAt }: CompareOptions,
): boolean {
  const key = `${id} ${projectId}`
  const intervalMs = Math.min(windowMs / 60, limits.alertCompareMs)
  if (Math.abs(now - (comparedAt.get(key) ?? -Infinity)) < intervalMs) return false
  comparedAt.set(key, now)
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
  for (const rule of rules) {
    const { threshold } = rule
    const { windowMs, of } = threshold
    const counts = await readWindowCounts(store.db, { projectId, windowMs, of, now })
    const firedAts = new Map(
      states.filter((state) => state.rule_id === rule.id).map((state) => [state.issue_id, state.fired_at]),
    )
    for (const issueId of new Set([...counts.keys(), ...firedAts.keys()])) {
      const firedAt = firedAts.get(issueId)
      const counted = counts.get(issueId) ?? noCounts
      const { isFired } = stepThreshold(
        threshold,
        { isArmed: firedAt === undefined, firedAt },
        { counts: counted, now, throttleMs: rule.rule.throttleMs },
      )
      const isOver = firedAt !== undefined && isBackToNormal(threshold, counted)
      if (isFired || isOver) changes.push({ rule, projectId, issueId, isFired, firedAt })
    }
  }
  return changes.length === 0 ? 0 : writeChanges(store, { projectId, changes, rules, now })
}

async function writeChanges(
  store: Store,
  {
    projectId,
    changes,
    rules,
    now,
  }: {
    projectId: number
    changes: readonly ThresholdChange[]
    rules: readonly WatchingRule[]
    now: number
  },
): Promise<number> {
  const subjects = await readPastSubjects(store.db, {
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
    await deleteOldCounts(tx, { projectId, rules, now })
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

/** What no window needs any more. Retention deletes what remains of rules that are gone. */
async function deleteOldCounts(
  tx: Transaction<Database>,
  { projectId, rules, now }: { projectId: number; rules: readonly WatchingRule[]; now: number },
): Promise<void> {
  for (const windowMs of new Set(rules.map(({ threshold }) => threshold.windowMs))) {
    await tx
      .deleteFrom('alert_windows')
      .where('project_id', '=', projectId)
      .where('window_ms', '=', windowMs)
      .where('bucket_at', '<', startOfWindow(windowMs, now) - windowMs)
      .execute()
  }
}
