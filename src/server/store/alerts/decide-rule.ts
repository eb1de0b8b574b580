import { decideAlert, type AlertCase, type AlertDecision, type AlertSubject } from '#alerts/decide.ts'
import { findWay, type NotificationWay } from '#alerts/preference.ts'
import type { Names } from '#alerts/sentence.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { findMute } from './mutes.ts'
import { toLastKey, type IssueHistory, type ProjectState, type ThrottledSubject } from './project-alerts.ts'
import { resolveActions, type IssuePeople } from './receivers.ts'
import type { StoredRule } from './rules.ts'

/** A transition with the data that all rules use. */
export interface KnownTransition extends ThrottledSubject {
  project: Pick<ProjectState & IssueHistory, 'projectId' | 'mutes' | 'receivers' | 'lastSentAt'>
  kind: AlertTransition
  subject: AlertSubject
  people: IssuePeople
}

/** The receivers of a rule's alert, if it sends one. */
export interface RuleReceivers {
  users: { userId: string; way: NotificationWay }[]
  destinationIds: string[]
}

/** The circumstances of a decision. */
export interface RuleMoment {
  /** Unix milliseconds. */
  now: number
  /** True if a mail server is configured. */
  hasMail: boolean
  /** Names of members, for descriptions of conditions. */
  names?: Names | undefined
}

/**
 * Decides whether a rule sends an alert for a transition, and to whom. Ingest, the dry run and the
 * explanation of an issue all use it, so that they cannot differ.
 */
export function decideRule(
  known: KnownTransition,
  stored: Pick<StoredRule, 'id' | 'rule'>,
  moment: RuleMoment,
): { decision: AlertDecision; receivers: RuleReceivers } {
  const receivers = findReceivers(known, stored, moment)
  return { decision: decideAlert(stored.rule, toCase(known, stored, { ...moment, receivers })), receivers }
}

function toCase(
  { project, kind, subject, ...throttled }: KnownTransition,
  { id: ruleId }: Pick<StoredRule, 'id'>,
  { now, names, receivers }: RuleMoment & { receivers: RuleReceivers },
): AlertCase {
  const { projectId, mutes, lastSentAt } = project
  return {
    transition: kind,
    subject,
    mute: findMute(mutes, { ruleId, projectId }),
    lastSentAt: lastSentAt.get(toLastKey(throttled, ruleId)),
    receiverCount: receivers.users.length + receivers.destinationIds.length,
    now,
    names,
  }
}

function findReceivers(
  { project: { projectId, receivers }, kind, people }: KnownTransition,
  { rule }: Pick<StoredRule, 'rule'>,
  { hasMail }: RuleMoment,
): RuleReceivers {
  const { userIds, destinationIds } = resolveActions(rule.actions, receivers, people)
  const wayOf = (userId: string, transition: AlertTransition) =>
    findWay(receivers.members.get(userId) ?? [], { projectId, transition, hasMail })
  const mentionedIds = kind === 'comment' ? (people.mentionedIds ?? []) : []
  const users = userIds.flatMap((userId) => {
    // A mentioned user is notified of the mention, and not also of the comment.
    if (mentionedIds.includes(userId) && wayOf(userId, 'mention') !== 'none') return []
    const way = wayOf(userId, kind)
    return way === 'none' ? [] : [{ userId, way }]
  })
  return { users, destinationIds }
}
