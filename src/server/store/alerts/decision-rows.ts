import type { AlertResult } from '#alerts/decide.ts'
import type { AlertNotice } from '#alerts/notice.ts'
import type { NotificationWay } from '#alerts/preference.ts'
import type { WaitingTransition } from './queue.ts'

/** The decision of a rule about a transition, and its receivers. */
export interface RuleDecision {
  ruleId: string
  result: AlertResult
  users: { userId: string; way: NotificationWay }[]
  destinationIds: string[]
  /** In quiet hours: their end, when the message is sent. Unix milliseconds. */
  heldUntil?: number
}

/** A transition that is decided, but not written. Without an issue it was deleted in the meantime. */
export interface DecidedTransition {
  transition: WaitingTransition
  issueId: number
  /** Of a transition of the project. */
  notice?: AlertNotice | undefined
  decisions: RuleDecision[]
  /** The owner to whom a new issue is assigned. */
  newAssigneeId?: string
}

/**
 * The rows of a transition in `alert_decisions`: one for all rules that decided the same and notify the same
 * receivers, so a storm writes as many rows with 200 rules as with one. `toDeliveryIds` names the messages of
 * a decision; `now` in Unix milliseconds.
 */
export function toDecisionRows(
  { transition, issueId, notice, decisions }: DecidedTransition,
  { toDeliveryIds, now }: { toDeliveryIds: (decision: RuleDecision) => string[]; now: number },
) {
  return [...Map.groupBy(decisions, toEffect).values()].flatMap((alike) => {
    const [first, ...more] = alike
    if (first === undefined) return []
    const { ruleId, result, heldUntil } = first
    return {
      project_id: transition.projectId,
      issue_id: issueId,
      rule_id: ruleId,
      more_rule_ids: more.length === 0 ? null : JSON.stringify(more.map((each) => each.ruleId)),
      transition_id: transition.id,
      kind: transition.kind,
      at: transition.at,
      decided_at: now,
      result,
      delivery_ids: JSON.stringify(result === 'sent' || heldUntil !== undefined ? toDeliveryIds(first) : []),
      notice: toNoticeText(notice),
    }
  })
}

/** Equal for decisions that differ in their rule alone. */
function toEffect({ result, heldUntil = 0, destinationIds, users }: RuleDecision): string {
  return [
    result,
    heldUntil,
    ...destinationIds,
    '',
    ...users.flatMap(({ userId, way }) => [userId, way]),
  ].join(' ')
}

/** The rows of a transition in `inbox_items`, one for each user. */
export function toInboxRows({ transition, issueId, notice, decisions }: DecidedTransition) {
  const rulesByUser = new Map<string, string[]>()
  // The inbox makes no noise: quiet hours do not hold it.
  for (const { ruleId, result, users, heldUntil } of decisions) {
    if (result !== 'sent' && heldUntil === undefined) continue
    for (const { userId } of users) rulesByUser.set(userId, [...(rulesByUser.get(userId) ?? []), ruleId])
  }
  return [...rulesByUser].map(([userId, ruleIds]) => ({
    project_id: transition.projectId,
    issue_id: issueId,
    user_id: userId,
    id: transition.id,
    kind: transition.kind,
    at: transition.at,
    rule_ids: JSON.stringify(ruleIds),
    read_at: null,
    notice: toNoticeText(notice),
  }))
}

function toNoticeText(notice: AlertNotice | undefined): string | null {
  return notice === undefined ? null : JSON.stringify(notice)
}
