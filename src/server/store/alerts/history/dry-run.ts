import { toNoticeSubject } from '#alerts/notice.ts'
import { isProjectRule } from '#alerts/sentence.ts'
import { limits } from '#server/limits.ts'
import { decideRule, type KnownTransition } from '#server/store/alerts/decide-rule.ts'
import { readIssueHistory, readProjectState, toLastKey } from '#server/store/alerts/project-alerts.ts'
import type { ProjectState } from '#server/store/alerts/project-alerts.ts'
import { noIssueId } from '#server/store/alerts/queue.ts'
import { toIssuePeople } from '#server/store/alerts/receivers.ts'
import type { AlertDryRun } from '#server/store/alerts/records.ts'
import type { StoredRule } from '#server/store/alerts/rules.ts'
import { readIssueSubjects } from '#server/store/alerts/subjects.ts'
import { listPastCrossings } from '#server/store/alerts/thresholds/crossings.ts'
import type { Db } from '#server/store/schema/database.ts'
import { dayMs } from '#time/time-steps.ts'
import { listPastNotices } from './past-notices.ts'
import { listPastTransitions } from './past-transitions.ts'

/** A rule for a trial run. */
interface TriedRule {
  /** `id` is empty for a rule that is not stored and therefore has no mutes. */
  rule: Pick<StoredRule, 'id' | 'rule'>
  organizationId: number
  projectIds: readonly number[]
  /** Unix milliseconds. */
  now: number
}

/**
 * Evaluates a rule for the transitions of the last `limits.alertDryRunDays`, as if they occurred. Issues and
 * receivers are read in their current state; the tags are the most frequent ones of the issue. At most twenty
 * statements per project, plus, for a threshold, one for each of its `limits.alertDryRunIssues` busiest
 * issues.
 */
export async function dryRunRule(db: Db, tried: TriedRule): Promise<AlertDryRun> {
  const dayCount = limits.alertDryRunDays
  const run: AlertDryRun = {
    dayCount,
    sentCount: 0,
    heldCount: 0,
    unreceivedCount: 0,
    transitionCount: 0,
    isCut: false,
    topIssues: [],
  }
  const counts = new Map<string, AlertDryRun['topIssues'][number]>()
  for (const projectId of tried.projectIds) {
    const { past, isCut } = await listPast(db, tried, { projectId, since: tried.now - dayCount * dayMs })
    run.isCut ||= isCut
    run.transitionCount += past.length
    for (const { id, title, known, at } of past) {
      const { mutes, lastSentAt } = known.project
      // Without mutes that began after the transition.
      const project = { ...known.project, mutes: mutes.filter(({ since }) => since <= at) }
      const { decision } = decideRule({ ...known, project }, tried.rule, { now: at, hasMail: false })
      const { result } = decision
      if (result === 'no_receiver') run.unreceivedCount += 1
      if (result === 'throttled' || result === 'quiet_hours' || result === 'muted') run.heldCount += 1
      if (result !== 'sent') continue
      lastSentAt.set(toLastKey(known, tried.rule.id), at)
      run.sentCount += 1
      const name = id ?? `${projectId} ${title}`
      const counted = counts.get(name) ?? { id, title, count: 0 }
      counts.set(name, counted)
      counted.count += 1
    }
  }
  run.topIssues = [...counts.values()].toSorted((one, other) => other.count - one.count).slice(0, 3)
  return run
}

/** A past transition. */
interface PastCase {
  /** The id of the issue. */
  id?: string
  title: string
  known: KnownTransition
  at: number
}

interface PastOf {
  projectId: number
  /** Unix milliseconds. */
  since: number
}

async function listPast(
  db: Db,
  { rule: { rule }, organizationId }: TriedRule,
  { projectId, since }: PastOf,
): Promise<{ past: PastCase[]; isCut: boolean }> {
  const reading = readProjectState(db, { organizationId, projectId, now: since })
  if (!isProjectRule(rule)) return listPastOfIssues(db, { rule, reading, projectId, since })
  const [state, notices] = await Promise.all([reading, listPastNotices(db, { rule, projectId, since })])
  const project = { ...state, lastSentAt: new Map() }
  const past = notices.map(({ kind, notice, at }): PastCase => {
    const people = { assigneeId: null, commenterIds: [], ownerIds: [] }
    const subject = toNoticeSubject(notice, at)
    return { title: notice.title, known: { project, kind, issueId: noIssueId, notice, subject, people }, at }
  })
  return { past, isCut: false }
}

async function listPastOfIssues(
  db: Db,
  { rule, reading, projectId, since }: PastOf & { rule: StoredRule['rule']; reading: Promise<ProjectState> },
): Promise<{ past: PastCase[]; isCut: boolean }> {
  const [state, changes, crossings] = await Promise.all([
    reading,
    listPastTransitions(db, { projectId, since }),
    listPastCrossings(db, { rule, projectId, since }),
  ])
  const all = [...changes, ...crossings].toSorted((one, other) => one.at - other.at)
  const issueIds = [...new Set(all.map(({ issueId }) => issueId))]
  const [issues, { commenters }] = await Promise.all([
    readIssueSubjects(db, { projectId, issueIds }),
    readIssueHistory(db, { projectId, issueIds, rules: [] }),
  ])
  const project = { ...state, lastSentAt: new Map() }
  const past = all.flatMap(({ issueId, kind, at, by, mentionedIds }): PastCase[] => {
    const subject = issues.get(issueId)
    if (subject === undefined) return []
    const people = toIssuePeople(subject, { ownership: state.ownership, commenters, by, mentionedIds })
    const known = { project, kind, issueId: subject.issueId, subject, people }
    return [{ id: String(subject.issueId), title: subject.title, known, at }]
  })
  return { past, isCut: changes.length >= limits.alertDryRunTransitions }
}
