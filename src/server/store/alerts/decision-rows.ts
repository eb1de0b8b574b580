import type { AlertResult } from '#alerts/decide.ts'
import type { AlertNotice } from '#alerts/notice.ts'
import type { NotificationWay } from '#alerts/preference.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import type { WaitingTransition } from './queue.ts'

/** The decision of rules about a transition, and its receivers. */
export interface RuleDecision {
  /** One or more. */
  ruleIds: readonly string[]
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

/** Rows of `alert_decisions` that differ in their issue and transition alone: those of a storm. */
export interface DecisionRows {
  ruleIds: readonly string[]
  kind: AlertTransition
  result: AlertResult
  /** JSON, both. */
  deliveryIds: string
  notice: string | null
  /** The id of the issue, the id and the time of the transition. */
  transitions: [number, string, number][]
}

/**
 * The rows of transitions in `alert_decisions`: one of each transition for all rules that decided the same
 * and notify the same receivers. `toDeliveryIds` names the messages of a decision.
 */
export function toDecisionRows(
  decided: readonly DecidedTransition[],
  toDeliveryIds: (of: DecidedTransition, decision: RuleDecision) => string[],
): DecisionRows[] {
  const groups = new Map<string, DecisionRows>()
  const setNumbers = createNumbering()
  for (const of of decided) {
    const { kind, id, at } = of.transition
    const notice = toNoticeText(of.notice)
    for (const decision of mergeAlike(of.decisions)) {
      const { ruleIds, result, heldUntil } = decision
      const isQueued = result === 'sent' || heldUntil !== undefined
      const deliveryIds = JSON.stringify(isQueued ? toDeliveryIds(of, decision) : [])
      const key = [kind, result, deliveryIds, notice, setNumbers(ruleIds)].join(' ')
      const group = groups.get(key) ?? { ruleIds, kind, result, deliveryIds, notice, transitions: [] }
      groups.set(key, group)
      group.transitions.push([of.issueId, id, at])
    }
  }
  return [...groups.values()]
}

/** Returns a function that numbers lists: most are one array, whose text is then made once. */
function createNumbering(): (list: readonly string[]) => number {
  const byList = new Map<readonly string[], number>()
  const byText = new Map<string, number>()
  return (list) => {
    const known = byList.get(list)
    if (known !== undefined) return known
    const text = list.join(' ')
    const number = byText.get(text) ?? byText.size
    byText.set(text, number)
    byList.set(list, number)
    return number
  }
}

/** Rules that do different things may decide the same about a transition. */
function mergeAlike(decisions: readonly RuleDecision[]): readonly RuleDecision[] {
  if (decisions.length < 2) return decisions
  return [...Map.groupBy(decisions, toEffect).values()].flatMap((alike) => {
    const [first] = alike
    return first === undefined ? [] : [{ ...first, ruleIds: alike.flatMap(({ ruleIds }) => ruleIds) }]
  })
}

/** Equal for decisions that differ in their rules alone. */
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
  for (const { ruleIds, result, users, heldUntil } of decisions) {
    if (result !== 'sent' && heldUntil === undefined) continue
    for (const { userId } of users) rulesByUser.set(userId, [...(rulesByUser.get(userId) ?? []), ...ruleIds])
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
