import { toNoticeSubject, type AlertNotice } from '#alerts/notice.ts'
import { endOfQuietHours } from '#alerts/quiet-hours.ts'
import type { QuietHours } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import type { Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { decideRule, type KnownTransition } from './decide-rule.ts'
import type { DecidedTransition, RuleDecision } from './decision-rows.ts'
import { writeDecisions, type DecideOptions, type WrittenDecisions } from './decision-writer.ts'
import { findMute } from './mutes.ts'
import { readProjectAlerts, toLastKey } from './project-alerts.ts'
import type { ProjectAlerts } from './project-alerts.ts'
import { listWaitingTransitions, takeTransitions } from './queue.ts'
import type { WaitingTransition, WaitingTransitions } from './queue.ts'
import { findOwnerIds, toIssuePeople } from './receivers.ts'
import type { RuleClass } from './rule-index.ts'

/**
 * Decides about the oldest queued transitions, at most `limits.alertsDecidedAtOnce`. Decisions are made
 * without a lock. One transaction then removes the transitions from the queue and writes the decisions for
 * those that were still in it, so that only one of several processes decides. Transitions that this version
 * cannot read are only removed. Returns the number of removed transitions.
 */
export async function decideWaitingAlerts(store: Store, options: DecideOptions): Promise<number> {
  const { waiting, unreadable } = await listWaitingTransitions(store.db, limits.alertsDecidedAtOnce)
  if (waiting.length + unreadable.length === 0) return 0
  const decided: { project: ProjectAlerts; transitions: DecidedTransition[] }[] = []
  let room = limits.alertDecisionsAtOnce
  for (const [projectId, transitions] of Map.groupBy(waiting, (each) => each.projectId)) {
    const [{ organizationId } = { organizationId: 0 }] = transitions
    const subject = { organizationId, projectId, transitions }
    const project = await readProjectAlerts(store.db, { ...subject, ...options })
    const ofProject: DecidedTransition[] = []
    for (const each of transitions) {
      // The others remain in the queue for the next transaction.
      if (room <= 0) break
      const one = decideOne(project, each, options)
      room -= one.decisions.length
      ofProject.push(one)
    }
    decided.push({ project, transitions: ofProject })
    if (room <= 0) break
  }
  const { written, droppedCount } = await store.writer.transaction().execute(async (tx) => {
    const all: WrittenDecisions[] = []
    for (const each of decided) all.push(await writeDecisions(tx, each, options))
    return { written: all, droppedCount: await dropTransitions(tx, unreadable) }
  })
  if (options.decisionCounts !== undefined) countDecisions(options.decisionCounts, written)
  return written.reduce((sum, { transitionCount }) => sum + transitionCount, droppedCount)
}

async function dropTransitions(tx: Tx, dropped: WaitingTransitions['unreadable']): Promise<number> {
  let count = 0
  for (const [projectId, ofProject] of Map.groupBy(dropped, (each) => each.projectId))
    count += (await takeTransitions(tx, { projectId, ids: ofProject.map(({ id }) => id) })).size
  return count
}

function countDecisions(
  counts: NonNullable<DecideOptions['decisionCounts']>,
  written: readonly WrittenDecisions[],
): void {
  for (const { result, ruleIds, transitions } of written.flatMap(({ rows }) => rows))
    counts.set(result, (counts.get(result) ?? 0) + ruleIds.length * transitions.length)
}

function decideOne(
  project: ProjectAlerts,
  transition: WaitingTransition,
  options: DecideOptions,
): DecidedTransition {
  const { ruleId, notice } = transition.cause
  const known =
    notice === undefined ? toKnownIssue(project, transition) : toKnownNotice(project, transition, notice)
  if (known === undefined) return { transition, issueId: transition.issueId, decisions: [] }
  const { issueId } = known
  const decisions = listMatching(project, known, { ruleId, now: options.now })
    .flatMap((alike) => splitByHistory(project, issueId, alike))
    .map((alike) => decideAlike(project, known, { alike, options }))
  const { assigneeId, ownerIds } = known.people
  const isAssigned = transition.kind === 'new' && assigneeId === null && project.ownership?.isAutoAssigned
  const newAssigneeId = isAssigned === true ? ownerIds[0] : undefined
  return { transition, issueId, notice, decisions, newAssigneeId }
}

/** Undefined if the issue was deleted meanwhile. */
function toKnownIssue(project: ProjectAlerts, transition: WaitingTransition): KnownTransition | undefined {
  const { kind, issueId: queuedId, cause } = transition
  const { by, mentionedIds, tags, path, paths, modules, release } = cause
  const { ownership, commenters } = project
  const issue = project.issues.get(queuedId)
  if (issue === undefined) return undefined
  const { issueId, assigneeId } = issue
  if (paths === undefined) {
    const subject = project.subjects.get(queuedId) ?? { ...issue, tags: {}, path: '' }
    return {
      project,
      kind,
      issueId,
      subject,
      people: toIssuePeople(subject, { ownership, commenters, by, mentionedIds }),
    }
  }
  const byKey = Object.fromEntries(tags)
  const ownerIds = findOwnerIds(ownership, { paths, modules, tags: byKey })
  return {
    project,
    kind,
    issueId,
    subject: { ...issue, release: release ?? issue.release, path, tags: byKey },
    people: { assigneeId, commenterIds: commenters.get(issueId) ?? [], ownerIds, by },
  }
}

function toKnownNotice(
  project: ProjectAlerts,
  transition: WaitingTransition,
  notice: AlertNotice,
): KnownTransition {
  return {
    project,
    kind: transition.kind,
    issueId: transition.issueId,
    subject: toNoticeSubject(notice, transition.at),
    people: { assigneeId: null, commenterIds: [], ownerIds: [] },
  }
}

/** The matching rules, or the rule whose threshold was crossed. */
function listMatching(
  project: ProjectAlerts,
  { kind: transition, subject }: KnownTransition,
  { ruleId, now }: { ruleId: string | undefined; now: number },
): readonly RuleClass[] {
  const classes = project.index.listMatching({ transition, subject, now })
  if (ruleId === undefined) return classes
  return classes.flatMap(({ rules }) =>
    rules.flatMap((first) =>
      first.id === ruleId ? [{ first, rules: [first], ruleIds: [ruleId] as const }] : [],
    ),
  )
}

/** Groups rules with the same mute and the same time of their last message. */
function splitByHistory(
  { projectId, mutes, lastSentAt }: ProjectAlerts,
  issueId: number,
  alike: RuleClass,
): readonly RuleClass[] {
  const { first, rules } = alike
  if (rules.length === 1 || (mutes.length === 0 && first.rule.throttleMs === 0)) return [alike]
  const parts = Map.groupBy(rules, ({ id: ruleId }) => {
    const mute = findMute(mutes, { ruleId, projectId })
    return `${mute?.until} ${mute?.name} ${lastSentAt.get(toLastKey(issueId, ruleId))}`
  })
  if (parts.size === 1) return [alike]
  return [...parts.values()].flatMap(([one, ...more]) => {
    if (one === undefined) return []
    const part = [one, ...more]
    return [{ first: one, rules: part, ruleIds: part.map(({ id }) => id) }]
  })
}

/** Decides once for rules with the same behaviour. */
function decideAlike(
  project: ProjectAlerts,
  known: KnownTransition,
  { alike: { first, ruleIds }, options }: { alike: RuleClass; options: DecideOptions },
): RuleDecision {
  const { now, hasMail } = options
  const { quietHours, throttleMs } = first.rule
  const { decision, receivers } = decideRule(known, first, { now, hasMail })
  const { result } = decision
  // The time is used only here.
  if (result === 'sent' && throttleMs > 0)
    for (const ruleId of ruleIds) project.lastSentAt.set(toLastKey(known.issueId, ruleId), now)
  const heldUntil =
    result === 'quiet_hours' && quietHours !== undefined
      ? endOfQuietHoursOf(project, { ruleId: first.id, quietHours, now })
      : undefined
  return { ruleIds, result, ...receivers, heldUntil }
}

/** Computed once for all transitions that are decided together, because it takes a step per minute. */
function endOfQuietHoursOf(
  { quietEnds }: ProjectAlerts,
  { ruleId, quietHours, now }: { ruleId: string; quietHours: QuietHours; now: number },
): number {
  const known = quietEnds.get(ruleId) ?? endOfQuietHours(quietHours, now)
  quietEnds.set(ruleId, known)
  return known
}
