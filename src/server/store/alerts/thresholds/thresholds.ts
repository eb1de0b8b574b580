import type { AlertThreshold } from '#alerts/rule.ts'
import { isBackToNormal, stepThreshold } from '#alerts/threshold.ts'
import type { WindowCounts } from '#alerts/threshold.ts'
import { limits } from '#server/limits.ts'
import { listAlertRules } from '#server/store/alerts/rules.ts'
import type { KnownRules } from '#server/store/alerts/rules.ts'
import type { Store } from '#server/store/store.ts'
import { noCounts } from './window-counts.ts'
import { deleteOldCounts, readWindowSlices } from './window-slices.ts'
import type { SlicedWindow } from './window-slices.ts'
import { writeChanges } from './writer.ts'
import type { ThresholdChange, WatchingRule } from './writer.ts'

/** When something was done last, by what it was done to, in Unix milliseconds; and how long it took. */
export type ThresholdTurns = Map<string, number>

export interface CompareOptions {
  /** Unix milliseconds. */
  now: number
  /** Both kept from one call to the next. */
  knownRules?: KnownRules
  turns: ThresholdTurns
}

/**
 * Compares what was counted with the thresholds of rules, those that are due, and queues a transition for
 * each one that an issue has crossed. The state is in the store: a crossing is queued once, by one of several
 * processes. Returns how many were queued.
 */
export async function compareThresholds(store: Store, options: CompareOptions): Promise<number> {
  const { now, turns } = options
  const restMs = Math.min(limits.alertCompareRest * (turns.get('took') ?? 0), limits.alertCompareMs)
  if (!takeTurn(options, 'rules', Math.max(limits.alertTickMs, restMs))) return 0
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
      takeTurn(options, `compare ${id} ${projectId}`, Math.min(windowMs / 60, limits.alertCompareMs))
    const due = rulesOf.filter(isDue)
    if (due.length > 0) count += await compareProject(store, { projectId, rules: due, now })
    for (const windowMs of new Set(rulesOf.map(({ threshold }) => threshold.windowMs)))
      if (takeTurn(options, `delete ${windowMs} ${projectId}`, windowMs))
        await deleteOldCounts(store, { projectId, windowMs, now })
  }
  turns.set('took', performance.now() - beganAt)
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

/** The thresholds of rules that have fired for an issue of a slice and are not armed again. */
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
