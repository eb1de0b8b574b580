import type { Kysely } from 'kysely'
import { decideAlert } from '#alerts/decide.ts'
import type { AlertDecision, AlertMute, AlertSubject } from '#alerts/decide.ts'
import { toNoticeSubject } from '#alerts/notice.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { isProjectRule } from '#alerts/sentence.ts'
import type { Names } from '#alerts/sentence.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import { listPastCrossings, readThresholds } from '#server/store/alerts/thresholds/crossings.ts'
import type { PastTransition } from '#server/store/alerts/thresholds/crossings.ts'
import type { Database } from '#server/store/schema/database.ts'
import { dayMs } from '#time/time-steps.ts'
import { listPastNotices } from './project-history.ts'
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
  const counts = new Map<string, AlertDryRun['topIssues'][number]>()
  for (const projectId of projectIds) {
    const { past, isCut } = await listPast(db, { rule, projectId, since: now - dayCount * dayMs })
    run.isCut ||= isCut
    run.transitionCount += past.length
    const lastSentAt = new Map<string, number>()
    for (const { key, id, title, subject, kind, at } of past) {
      const decided = { transition: kind, subject, lastSentAt: lastSentAt.get(key), now: at }
      const { result } = decideAlert(rule, decided)
      if (result === 'throttled' || result === 'quiet_hours') run.heldCount += 1
      if (result !== 'sent') continue
      lastSentAt.set(key, at)
      run.sentCount += 1
      const name = id ?? `${projectId} ${title}`
      const known = counts.get(name) ?? { id, title, count: 0 }
      counts.set(name, known)
      known.count += 1
    }
  }
  run.topIssues = [...counts.values()].toSorted((one, other) => other.count - one.count).slice(0, 3)
  return run
}

/** A transition of the past as `decideAlert` sees it. */
interface PastCase {
  /** What the throttle is for. */
  key: string
  /** Of the issue. */
  id?: string
  title: string
  subject: AlertSubject
  kind: AlertTransition
  at: number
}

async function listPast(
  db: Kysely<Database>,
  { rule, projectId, since }: { rule: AlertRule; projectId: number; since: number },
): Promise<{ past: PastCase[]; isCut: boolean }> {
  if (isProjectRule(rule)) {
    const notices = await listPastNotices(db, { rule, projectId, since })
    const past = notices.map(({ kind, notice, at }) => {
      return { key: '', title: notice.title, subject: toNoticeSubject(notice, at), kind, at }
    })
    return { past, isCut: false }
  }
  const [changes, crossings] = await Promise.all([
    listPastTransitions(db, { projectId, since }),
    listPastCrossings(db, { rule, projectId, since }),
  ])
  const all = [...changes, ...crossings].toSorted((one, other) => one.at - other.at)
  const issues = await readIssueSubjects(db, { projectId, issueIds: all.map(({ issueId }) => issueId) })
  const past = all.flatMap(({ issueId, kind, at }): PastCase[] => {
    const subject = issues.get(issueId)
    if (subject === undefined) return []
    return [{ key: String(issueId), id: String(subject.issueId), title: subject.title, subject, kind, at }]
  })
  return { past, isCut: changes.length >= limits.alertDryRunTransitions }
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
    listNames,
    projectId,
    issueId,
    now,
  }: {
    listRules: () => Promise<readonly ExplainedRule[]>
    /** Of members, for filters that name one. */
    listNames?: () => Promise<Names>
    projectId: number
    issueId: number
    now: number
  },
): Promise<RuleExplanation[]> {
  const [all, names, past, issues] = await Promise.all([
    listRules(),
    listNames?.(),
    listPastTransitions(db, { projectId, issueId, since: 0 }),
    readIssueSubjects(db, { projectId, issueIds: [issueId] }),
  ])
  const subject = issues.get(issueId)
  if (subject === undefined) return []
  const rules = all.filter(({ rule }) => !isProjectRule(rule))
  const { listCrossingsOf, checkCount } = await readThresholds(db, {
    thresholds: rules.flatMap(({ rule }) => rule.threshold ?? []),
    projectId,
    issueId,
    now,
  })
  return rules.flatMap(({ ruleId, rule, mute }) => {
    const happened = [...past, ...listCrossingsOf(rule)].toSorted((one, other) => one.at - other.at)
    const last = happened.findLast(({ kind }) => rule.transitions.includes(kind)) ?? happened.at(-1)
    if (last === undefined) return []
    const { kind: transition, at } = last
    const decision = decideAlert(rule, { transition, subject, mute, now, names })
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
