import { toNoticeSubject, type AlertNotice } from '#alerts/notice.ts'
import { endOfQuietHours } from '#alerts/quiet-hours.ts'
import type { QuietHours } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { noFailures } from '#server/store/project-failures.ts'
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
  const { failures = noFailures } = options
  const listed = { limit: limits.alertsDecidedAtOnce, failures }
  const { waiting, unreadable } = await listWaitingTransitions(store.db, listed)
  if (waiting.length + unreadable.length === 0) return 0
  const decided: DecidedProject[] = []
  let room = limits.alertDecisionsAtOnce
  for (const [projectId, transitions] of Map.groupBy(waiting, (each) => each.projectId)) {
    // The others remain in the queue for the next transaction.
    if (room <= 0) break
    const one = await failures.attempt(projectId, () => decideProject(store, transitions, { room, options }))
    if (one === undefined) continue
    room -= one.transitions.reduce((sum, { decisions }) => sum + decisions.length, 0)
    decided.push(one)
  }
  const { written, droppedCount } = await writeAll(store, { decided, unreadable }, options)
  if (options.decisionCounts !== undefined) countDecisions(options.decisionCounts, written)
  return written.reduce((sum, { transitionCount }) => sum + transitionCount, droppedCount)
}

interface DecidedProject {
  project: ProjectAlerts
  transitions: DecidedTransition[]
}

async function decideProject(
  store: Store,
  transitions: readonly WaitingTransition[],
  { room, options }: { room: number; options: DecideOptions },
): Promise<DecidedProject> {
  const [{ organizationId, projectId } = { organizationId: 0, projectId: 0 }] = transitions
  const project = await readProjectAlerts(store.db, { organizationId, projectId, transitions, ...options })
  const decided: DecidedTransition[] = []
  let left = room
  for (const each of transitions) {
    if (left <= 0) break
    const one = decideOne(project, each, options)
    left -= one.decisions.length
    decided.push(one)
  }
  return { project, transitions: decided }
}

/** Writes all decisions in one transaction; if it fails, each project in its own, for the others. */
async function writeAll(
  store: Store,
  { decided, unreadable }: { decided: readonly DecidedProject[] } & Pick<WaitingTransitions, 'unreadable'>,
  options: DecideOptions,
): Promise<{ written: WrittenDecisions[]; droppedCount: number }> {
  const { failures } = options
  try {
    return await store.writer.transaction().execute(async (tx) => {
      const written: WrittenDecisions[] = []
      for (const each of decided) written.push(await writeDecisions(tx, each, options))
      return { written, droppedCount: await dropTransitions(tx, unreadable) }
    })
  } catch (error) {
    if (failures === undefined || findUnavailability(error) !== undefined) throw error
  }
  const written: WrittenDecisions[] = []
  for (const each of decided) {
    const one = await failures.attempt(each.project.projectId, () =>
      store.writer.transaction().execute((tx) => writeDecisions(tx, each, options)),
    )
    if (one !== undefined) written.push(one)
  }
  const droppedCount = await store.writer.transaction().execute((tx) => dropTransitions(tx, unreadable))
  return { written, droppedCount }
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
    .flatMap((alike) => splitByHistory(project, known, alike))
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
    notice,
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
  known: KnownTransition,
  alike: RuleClass,
): readonly RuleClass[] {
  const { first, rules } = alike
  if (rules.length === 1 || (mutes.length === 0 && first.rule.throttleMs === 0)) return [alike]
  const parts = Map.groupBy(rules, ({ id: ruleId }) => {
    const mute = findMute(mutes, { ruleId, projectId })
    return `${mute?.until} ${mute?.name} ${lastSentAt.get(toLastKey(known, ruleId))}`
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
    for (const ruleId of ruleIds) project.lastSentAt.set(toLastKey(known, ruleId), now)
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
