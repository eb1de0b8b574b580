import { toNoticeSubject } from '#alerts/notice.ts'
import type { AlertNotice } from '#alerts/notice.ts'
import { endOfQuietHours } from '#alerts/quiet-hours.ts'
import type { QuietHours } from '#alerts/rule.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'
import { decideRule, isAbout } from './decide-rule.ts'
import type { KnownTransition } from './decide-rule.ts'
import type { DecidedTransition, RuleDecision } from './decision-rows.ts'
import { writeDecisions } from './decision-writer.ts'
import type { DecideOptions } from './decision-writer.ts'
import { readProjectAlerts, toLastKey } from './project-alerts.ts'
import type { ProjectAlerts } from './project-alerts.ts'
import { listWaitingTransitions } from './queue.ts'
import type { WaitingTransition } from './queue.ts'
import { findOwnerIds, toIssuePeople } from './receivers.ts'
import type { StoredRule } from './rules.ts'

/**
 * Decides about the oldest waiting transitions, `limits.alertsDecidedAtOnce` at most. The decisions are made
 * without a lock; one transaction then takes the transitions from the queue and writes what was decided about
 * those it got, so that of several processes one decides. Returns how many it took.
 */
export async function decideWaitingAlerts(store: Store, options: DecideOptions): Promise<number> {
  const waiting = await listWaitingTransitions(store.db, limits.alertsDecidedAtOnce)
  if (waiting.length === 0) return 0
  const decided: { project: ProjectAlerts; transitions: DecidedTransition[] }[] = []
  let room = limits.alertDecisionsAtOnce
  for (const [projectId, transitions] of Map.groupBy(waiting, (each) => each.projectId)) {
    const [{ organizationId } = { organizationId: 0 }] = transitions
    const place = { organizationId, projectId, transitions }
    const project = await readProjectAlerts(store.db, { ...place, ...options })
    const ofProject: DecidedTransition[] = []
    for (const each of transitions) {
      // The others stay in the queue for the next transaction.
      if (room <= 0) break
      const one = decideOne(project, each, options)
      room -= one.decisions.length
      ofProject.push(one)
    }
    decided.push({ project, transitions: ofProject })
    if (room <= 0) break
  }
  return store.writer.transaction().execute(async (tx) => {
    let count = 0
    for (const each of decided) count += await writeDecisions(tx, each, options)
    return count
  })
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
  const ofKind = rulesAbout(project, transition.kind)
  const rules = ruleId === undefined ? ofKind : ofKind.filter(({ id }) => id === ruleId)
  const decisions: RuleDecision[] = []
  for (const rule of rules) {
    // Most rules end here.
    if (!isAbout(known, rule, options.now)) continue
    const decision = decideKnown(project, known, { rule, options })
    if (decision !== undefined) decisions.push(decision)
  }
  const { assigneeId, ownerIds } = known.people
  const isAssigned = transition.kind === 'new' && assigneeId === null && project.ownership?.isAutoAssigned
  const newAssigneeId = isAssigned === true ? ownerIds[0] : undefined
  return { transition, issueId, notice, decisions, newAssigneeId }
}

/** Undefined without the issue: it was deleted in the meantime. */
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

/** Found once for all transitions that are decided together. */
function rulesAbout({ rules, rulesByKind }: ProjectAlerts, kind: AlertTransition): readonly StoredRule[] {
  const known = rulesByKind.get(kind) ?? rules.filter(({ rule }) => rule.transitions.includes(kind))
  rulesByKind.set(kind, known)
  return known
}

/** Nothing for a rule that the transition does not match. */
function decideKnown(
  project: ProjectAlerts,
  known: KnownTransition,
  { rule: stored, options }: { rule: StoredRule; options: DecideOptions },
): RuleDecision | undefined {
  const { now, hasMail } = options
  const { id: ruleId, rule } = stored
  const { decision, receivers } = decideRule(known, stored, { now, hasMail })
  const { result } = decision
  if (result === 'unmatched') return undefined
  if (result === 'sent') project.lastSentAt.set(toLastKey(known.issueId, ruleId), now)
  const heldUntil =
    result === 'quiet_hours' && rule.quietHours !== undefined
      ? endOfQuietHoursOf(project, { ruleId, quietHours: rule.quietHours, now })
      : undefined
  return { ruleId, result, ...receivers, heldUntil }
}

/** Found once for all transitions that are decided together: it takes a step for each minute. */
function endOfQuietHoursOf(
  { quietEnds }: ProjectAlerts,
  { ruleId, quietHours, now }: { ruleId: string; quietHours: QuietHours; now: number },
): number {
  const known = quietEnds.get(ruleId) ?? endOfQuietHours(quietHours, now)
  quietEnds.set(ruleId, known)
  return known
}
