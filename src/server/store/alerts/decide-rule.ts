import { decideAlert } from '#alerts/decide.ts'
import type { AlertCase, AlertDecision, AlertSubject } from '#alerts/decide.ts'
import { findWay } from '#alerts/preference.ts'
import type { NotificationWay } from '#alerts/preference.ts'
import type { Names } from '#alerts/sentence.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import { findMute } from './mutes.ts'
import { toLastKey } from './project-alerts.ts'
import type { IssueHistory, ProjectState } from './project-alerts.ts'
import { resolveActions } from './receivers.ts'
import type { IssuePeople } from './receivers.ts'
import type { StoredRule } from './rules.ts'

/** A transition, with what all rules look at. */
export interface KnownTransition {
  project: Pick<ProjectState & IssueHistory, 'projectId' | 'mutes' | 'receivers' | 'lastSentAt'>
  kind: AlertTransition
  issueId: number
  subject: AlertSubject
  people: IssuePeople
}

/** The users whom a rule notifies, if it sends an alert. */
export interface RuleReceivers {
  users: { userId: string; way: NotificationWay }[]
  destinationIds: string[]
}

/** When, and with what, rules are asked. */
export interface RuleMoment {
  /** Unix milliseconds. */
  now: number
  /** A mail server is set. */
  hasMail: boolean
  /** Of members, for the texts of conditions. */
  names?: Names | undefined
}

/**
 * What a rule does about a transition, and whom it notifies. What is sent, the dry run and the explanation of
 * an issue all come from it, so they look at the same values.
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
  { project, kind, issueId, subject }: KnownTransition,
  { id: ruleId }: Pick<StoredRule, 'id'>,
  { now, names, receivers }: RuleMoment & { receivers: RuleReceivers },
): AlertCase {
  const { projectId, mutes, lastSentAt } = project
  return {
    transition: kind,
    subject,
    mute: findMute(mutes, { ruleId, projectId }),
    lastSentAt: lastSentAt.get(toLastKey(issueId, ruleId)),
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
    // A mentioned user is notified of the mention, and not of the same comment again.
    if (mentionedIds.includes(userId) && wayOf(userId, 'mention') !== 'none') return []
    const way = wayOf(userId, kind)
    return way === 'none' ? [] : [{ userId, way }]
  })
  return { users, destinationIds }
}
