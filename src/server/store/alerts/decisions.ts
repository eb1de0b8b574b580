import { decideAlert, isMatch } from '#alerts/decide.ts'
import type { AlertSubject } from '#alerts/decide.ts'
import { toNoticeSubject } from '#alerts/notice.ts'
import type { AlertNotice } from '#alerts/notice.ts'
import { findWay } from '#alerts/preference.ts'
import type { NotificationWay } from '#alerts/preference.ts'
import { endOfQuietHours } from '#alerts/quiet-hours.ts'
import type { QuietHours } from '#alerts/rule.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { limits } from '#server/limits.ts'
import { resolveOwners } from '#server/store/projects/ownership.ts'
import type { Store } from '#server/store/store.ts'
import type { OwnershipSubject } from '#source-links/owners/ownership-rules.ts'
import { writeDecisions } from './decision-writer.ts'
import type { DecidedTransition, DecideOptions, RuleDecision } from './decision-writer.ts'
import { findMute } from './mutes.ts'
import { readProjectAlerts } from './project-alerts.ts'
import type { ProjectAlerts } from './project-alerts.ts'
import { listWaitingTransitions, parseCause } from './queue.ts'
import type { WaitingTransition } from './queue.ts'
import { resolveActions } from './receivers.ts'
import type { IssuePeople } from './receivers.ts'
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
  const cause = parseCause(transition.detail)
  const { ruleId, notice } = cause
  const known =
    notice === undefined
      ? toKnownIssue(project, transition, cause)
      : toKnownNotice(project, transition, notice)
  if (known === undefined) return { transition, issueId: transition.issueId, decisions: [] }
  const { issueId } = known
  const ofKind = rulesAbout(project, transition.kind)
  const rules = ruleId === undefined ? ofKind : ofKind.filter(({ id }) => id === ruleId)
  const decisions = rules.flatMap((rule) => decideRule(known, rule, options))
  const { assigneeId, ownerIds } = known.people
  const isAssigned = transition.kind === 'new' && assigneeId === null && project.ownership?.isAutoAssigned
  const newAssigneeId = isAssigned === true ? ownerIds[0] : undefined
  return { transition, issueId, notice, decisions, newAssigneeId }
}

/** Undefined without the issue: it was deleted in the meantime. */
function toKnownIssue(
  project: ProjectAlerts,
  transition: WaitingTransition,
  cause: ReturnType<typeof parseCause>,
): KnownTransition | undefined {
  const issue = project.issues.get(transition.issueId)
  if (issue === undefined) return undefined
  const { release = issue.release, tags, path, by, ...names } = cause
  const { issueId, assigneeId } = issue
  const ownerIds = findOwnerIds(project, { ...names, tags: Object.fromEntries(tags) })
  return {
    project,
    transition,
    issueId,
    subject: { ...issue, release, path, tags: Object.fromEntries(tags) },
    people: { assigneeId, commenterIds: project.commenters.get(issueId) ?? [], ownerIds, by },
  }
}

function toKnownNotice(
  project: ProjectAlerts,
  transition: WaitingTransition,
  notice: AlertNotice,
): KnownTransition {
  return {
    project,
    transition,
    issueId: transition.issueId,
    subject: toNoticeSubject(notice, transition.at),
    people: { assigneeId: null, commenterIds: [], ownerIds: [] },
  }
}

/** The users who own the code of an event. */
function findOwnerIds(
  { ownership }: ProjectAlerts,
  { tags, ...names }: Pick<OwnershipSubject, 'paths' | 'modules' | 'tags'>,
): string[] {
  const found = ownership && resolveOwners(ownership, { ...names, tags, url: tags['url'] })
  return (found?.owners ?? []).flatMap(({ user }) => user?.userId ?? [])
}

/** Found once for all transitions that are decided together. */
function rulesAbout({ rules, rulesByKind }: ProjectAlerts, kind: AlertTransition): readonly StoredRule[] {
  const known = rulesByKind.get(kind) ?? rules.filter(({ rule }) => rule.transitions.includes(kind))
  rulesByKind.set(kind, known)
  return known
}

/** A transition, with what all rules look at. */
interface KnownTransition {
  project: ProjectAlerts
  transition: WaitingTransition
  issueId: number
  subject: AlertSubject
  people: IssuePeople
}

/** Nothing for a rule that the transition does not match. */
function decideRule(
  { project, transition: { kind }, issueId, subject, people }: KnownTransition,
  { id: ruleId, rule }: StoredRule,
  { now, hasMail }: DecideOptions,
): RuleDecision[] {
  // Most rules end here.
  if (!isMatch(rule, { transition: kind, subject, now })) return []
  const { userIds, destinationIds } = resolveActions(rule.actions, project.receivers, people)
  const users = userIds.flatMap((userId) => {
    const way = wayOf(project, userId, { kind, hasMail })
    return way === 'none' ? [] : [{ userId, way }]
  })
  const lastKey = `${issueId} ${ruleId}`
  const { result } = decideAlert(rule, {
    transition: kind,
    subject,
    mute: findMute(project.mutes, { ruleId, projectId: project.projectId }),
    lastSentAt: project.lastSentAt.get(lastKey),
    receiverCount: users.length + destinationIds.length,
    now,
  })
  if (result === 'unmatched') return []
  if (result === 'sent') project.lastSentAt.set(lastKey, now)
  const heldUntil =
    result === 'quiet_hours' && rule.quietHours !== undefined
      ? endOfQuietHoursOf(project, { ruleId, quietHours: rule.quietHours, now })
      : undefined
  return [{ ruleId, result, users, destinationIds, heldUntil }]
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

function wayOf(
  { receivers, projectId }: ProjectAlerts,
  userId: string,
  { kind, hasMail }: { kind: AlertTransition; hasMail: boolean },
): NotificationWay {
  return findWay(receivers.members.get(userId) ?? [], { projectId, transition: kind, hasMail })
}
