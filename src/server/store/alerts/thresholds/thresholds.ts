import type { AlertThreshold } from '#alerts/rule.ts'
import { isBackToNormal, stepThreshold, type WindowCounts } from '#alerts/threshold.ts'
import { limits } from '#server/limits.ts'
import { listAlertRules, type KnownRules } from '#server/store/alerts/rules.ts'
import { noFailures, type ProjectFailures } from '#server/store/project-failures.ts'
import type { Store } from '#server/store/store.ts'
import { noCounts } from './window-counts.ts'
import { deleteOldCounts, readWindowSlices, type SlicedWindow } from './window-slices.ts'
import { writeChanges, type ThresholdChange, type WatchingRule } from './writer.ts'

/** The time of the last run of each task, in Unix milliseconds, and its duration. */
export type LastRuns = Map<string, number>

export interface CompareOptions {
  /** Unix milliseconds. */
  now: number
  /** Both are reused by the next call. */
  knownRules?: KnownRules
  lastRuns: LastRuns
  /** Without it, an error about one project is thrown. */
  failures?: ProjectFailures
}

/**
 * Compares counts with the thresholds of rules that are due, and queues a transition for each issue that has
 * crossed one. The state is in the store: only one of several processes queues a crossing. Returns the number
 * of queued transitions.
 */
export async function compareThresholds(store: Store, options: CompareOptions): Promise<number> {
  const { now, lastRuns, failures = noFailures } = options
  const restMs = Math.min(limits.alertCompareRest * (lastRuns.get('took') ?? 0), limits.alertCompareMs)
  if (!beginIfDue(options, 'rules', Math.max(limits.alertTickMs, restMs))) return 0
  const rules = await listAlertRules(store.db, undefined, options.knownRules)
  const watching = rules.flatMap((each): WatchingRule[] => {
    const { isEnabled, threshold, transitions } = each.rule
    return isEnabled && threshold !== undefined && transitions.includes('threshold')
      ? [{ ...each, threshold }]
      : []
  })
  if (watching.length === 0) return 0
  const beganAt = performance.now()
  const projects = await store.db.selectFrom('projects').select(['id', 'organization_id']).execute()
  let count = 0
  for (const { id: projectId, organization_id } of projects) {
    const rulesOf = watching.filter(
      (rule) =>
        rule.organizationId === organization_id &&
        (rule.projectId === undefined || rule.projectId === projectId),
    )
    const isDue = ({ id, threshold: { windowMs } }: WatchingRule) =>
      beginIfDue(options, `compare ${id} ${projectId}`, Math.min(windowMs / 60, limits.alertCompareMs))
    const due = rulesOf.filter(isDue)
    const queued = await failures.attempt(projectId, async () => {
      const crossedCount = due.length === 0 ? 0 : await compareProject(store, { projectId, rules: due, now })
      for (const windowMs of new Set(rulesOf.map(({ threshold }) => threshold.windowMs)))
        if (beginIfDue(options, `delete ${windowMs} ${projectId}`, windowMs))
          await deleteOldCounts(store, { projectId, windowMs, now })
      return crossedCount
    })
    count += queued ?? 0
  }
  lastRuns.set('took', performance.now() - beganAt)
  return count
}

/** True if the interval has passed since the last run, or the clock was set back. */
function beginIfDue({ now, lastRuns }: CompareOptions, what: string, intervalMs: number): boolean {
  if (Math.abs(now - (lastRuns.get(what) ?? -Infinity)) < intervalMs) return false
  lastRuns.set(what, now)
  return true
}

async function compareProject(
  store: Store,
  { projectId, rules, now }: { projectId: number; rules: readonly WatchingRule[]; now: number },
): Promise<number> {
  let count = 0
  for (const alike of Map.groupBy(rules, ({ threshold }) => toCountKey(threshold)).values()) {
    const [first] = alike
    if (first === undefined) continue
    const window: SlicedWindow = {
      ...first.threshold,
      atLeast: Math.min(...alike.map(({ threshold }) => threshold.atLeast)),
      projectId,
      now,
    }
    for await (const { counts, after, upTo } of readWindowSlices(store.db, window)) {
      const states = await listStates(store, { projectId, rules: alike, after, upTo })
      const changes = alike.flatMap((rule) => listChanges(rule, { projectId, counts, states, now }))
      count += await writeChanges(store, { projectId, changes, now })
    }
  }
  return count
}

interface RuleStates {
  projectId: number
  rules: readonly WatchingRule[]
  after: number
  upTo: number
}

/** The states of thresholds that have fired for issues of a slice and are not yet rearmed. */
function listStates({ db }: Store, { projectId, rules, after, upTo }: RuleStates) {
  return db
    .selectFrom('alert_thresholds')
    .select(['issue_id', 'rule_id', 'fired_at'])
    .where('project_id', '=', projectId)
    .where('issue_id', '>', after)
    .where('issue_id', '<=', upTo)
    .where(
      'rule_id',
      'in',
      rules.map(({ id }) => id),
    )
    .execute()
}

/** Thresholds with the same key are compared with the same counts. */
function toCountKey({ of, unit, windowMs }: AlertThreshold): string {
  return `${of} ${unit} ${windowMs}`
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
