import type { Kysely } from 'kysely'
import { decideAlert } from '#alerts/decide.ts'
import type { AlertDecision, AlertMute } from '#alerts/decide.ts'
import type { AlertRule } from '#alerts/rule.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import { dayMs } from '#time/time-steps.ts'
import { listPastCrossings, readThresholds } from './crossings.ts'
import type { PastTransition } from './crossings.ts'
import type { AlertDryRun } from './records.ts'
import { readIssueSubjects } from './subjects.ts'

/**
 * Decides with a rule about the transitions of the last `limits.alertDryRunDays`, as `decideAlert` does when
 * they happen. Issues are as they are now; tags are the most frequent ones of the issue. Seven statements for
 * each project, and with a threshold one for each of its `limits.alertDryRunIssues` busiest issues.
 */
export async function dryRunRule(
  db: Kysely<Database>,
  { rule, projectIds, now }: { rule: AlertRule; projectIds: readonly number[]; now: number },
): Promise<AlertDryRun> {
  const dayCount = limits.alertDryRunDays
  const run: AlertDryRun = {
    dayCount,
    sentCount: 0,
    heldCount: 0,
    transitionCount: 0,
    isCut: false,
    topIssues: [],
  }
  const counts = new Map<number, { id: string; title: string; count: number }>()
  for (const projectId of projectIds) {
    const since = now - dayCount * dayMs
    const [changes, crossings] = await Promise.all([
      listPastTransitions(db, { projectId, since }),
      listPastCrossings(db, { rule, projectId, since }),
    ])
    const past = [...changes, ...crossings].toSorted((one, other) => one.at - other.at)
    run.isCut ||= changes.length >= limits.alertDryRunTransitions
    run.transitionCount += past.length
    const issues = await readIssueSubjects(db, { projectId, issueIds: past.map(({ issueId }) => issueId) })
    const lastSentAt = new Map<number, number>()
    for (const { issueId, kind, at } of past) {
      const subject = issues.get(issueId)
      if (subject === undefined) continue
      const { result } = decideAlert(rule, {
        transition: kind,
        subject,
        lastSentAt: lastSentAt.get(issueId),
        now: at,
      })
      if (result === 'throttled' || result === 'quiet_hours') run.heldCount += 1
      if (result !== 'sent') continue
      lastSentAt.set(issueId, at)
      run.sentCount += 1
      const known = counts.get(issueId) ?? { id: String(subject.issueId), title: subject.title, count: 0 }
      counts.set(issueId, known)
      known.count += 1
    }
  }
  run.topIssues = [...counts.values()].toSorted((one, other) => other.count - one.count).slice(0, 3)
  return run
}

/** A rule that is explained, with the mute that holds it. */
export interface ExplainedRule {
  ruleId: string
  rule: AlertRule
  mute?: AlertMute
}

/** What a rule makes of a transition of an issue. */
export interface RuleExplanation extends AlertDecision {
  ruleId: string
  name: string
  transition: AlertTransition
  /** Unix milliseconds. */
  at: number
}

/**
 * What rules would make of the last transition of an issue that they are about, if it happened now: what the
 * rule looked at then may have changed.
 */
export async function explainRules(
  db: Kysely<Database>,
  {
    listRules,
    projectId,
    issueId,
    now,
  }: {
    listRules: () => Promise<readonly ExplainedRule[]>
    projectId: number
    issueId: number
    now: number
  },
): Promise<RuleExplanation[]> {
  const [rules, past, issues] = await Promise.all([
    listRules(),
    listPastTransitions(db, { projectId, issueId, since: 0 }),
    readIssueSubjects(db, { projectId, issueIds: [issueId] }),
  ])
  const subject = issues.get(issueId)
  if (subject === undefined) return []
  const { listCrossingsOf, checkCount } = await readThresholds(db, {
    thresholds: rules.flatMap(({ rule }) => rule.threshold ?? []),
    projectId,
    issueId,
    now,
  })
  return rules.flatMap(({ ruleId, rule, mute }) => {
    const all = [...past, ...listCrossingsOf(rule)].toSorted((one, other) => one.at - other.at)
    const last = all.findLast(({ kind }) => rule.transitions.includes(kind)) ?? all.at(-1)
    if (last === undefined) return []
    const { kind: transition, at } = last
    const decision = decideAlert(rule, { transition, subject, mute, now })
    const conditions = [...checkCount(rule), ...decision.conditions]
    return [{ ruleId, name: rule.name, transition, at, ...decision, conditions }]
  })
}

/** The newest transitions of a project or an issue, in the order of time. Two statements. */
async function listPastTransitions(
  db: Kysely<Database>,
  { projectId, issueId, since }: { projectId: number; issueId?: number; since: number },
): Promise<PastTransition[]> {
  const limit = limits.alertDryRunTransitions
  const created = db
    .selectFrom('issues')
    .select(['id', 'first_seen_at'])
    .where('project_id', '=', projectId)
    .where('first_seen_at', '>=', since)
    .$if(issueId !== undefined, (query) => query.where('id', '=', issueId ?? 0))
    .orderBy('first_seen_at', 'desc')
    .limit(limit)
    .execute()
  const changed = db
    .selectFrom('issue_activity')
    .select(['issue_id', 'kind', 'at', 'detail'])
    .where('project_id', '=', projectId)
    .where('at', '>=', since)
    .where('kind', 'in', ['regressed', 'reopened', 'assigned', 'comment'])
    .$if(issueId !== undefined, (query) => query.where('issue_id', '=', issueId ?? 0))
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  const [createdRows, changedRows] = await Promise.all([created, changed])
  const all = [
    ...createdRows.map((row): PastTransition => ({
      projectId,
      issueId: row.id,
      kind: 'new',
      at: row.first_seen_at,
    })),
    ...changedRows.flatMap((row): PastTransition[] => {
      const kind = toTransition(row)
      return kind === undefined ? [] : [{ projectId, issueId: row.issue_id, kind, at: row.at }]
    }),
  ]
  return all.toSorted((one, other) => one.at - other.at).slice(-limit)
}

/** The transition of an activity entry, see `triage/transition-writer.ts`. */
function toTransition({ kind, detail }: { kind: string; detail: string }): AlertTransition | undefined {
  if (kind === 'regressed' || kind === 'comment') return kind
  if (kind === 'reopened') return detail.includes('"reason":"escalation"') ? 'escalated' : 'unarchived'
  return detail.includes('"assigneeId":"') ? 'assigned' : undefined
}
