import type { AlertResult } from '#alerts/decide.ts'
import type { AlertNotice } from '#alerts/notice.ts'
import type { NotificationWay } from '#alerts/preference.ts'
import type { AlertTransition } from '#alerts/transition.ts'
import type { WaitingTransition } from './queue.ts'

/** The common decision of several rules about a transition, with its receivers. */
export interface RuleDecision {
  /** At least one. */
  ruleIds: readonly string[]
  result: AlertResult
  users: { userId: string; way: NotificationWay }[]
  destinationIds: string[]
  /** If quiet hours delay the message: when they end. Unix milliseconds. */
  heldUntil?: number
}

/** A transition with its decisions, before they are written. No issue if that was deleted meanwhile. */
export interface DecidedTransition {
  transition: WaitingTransition
  issueId: number
  /** The notice of a project's transition. */
  notice?: AlertNotice | undefined
  decisions: RuleDecision[]
  /** The owner to whom a new issue is assigned. */
  newAssigneeId?: string
}

/** Rows of `alert_decisions` that differ only in issue and transition, as in a storm. */
export interface DecisionRows {
  ruleIds: readonly string[]
  kind: AlertTransition
  result: AlertResult
  /** Both are JSON. */
  deliveryIds: string
  notice: string | null
  /** The id of the issue, and the id and time of the transition. */
  transitions: [number, string, number][]
}

/**
 * The rows of transitions in `alert_decisions`: one per transition for all rules with the same decision and
 * receivers. `toDeliveryIds` returns the messages of a decision.
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

/**
 * Returns a function that numbers lists. Most lists are the same array, which is then converted to text only
 * once.
 */
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

/** Different rules may have the same decision about a transition. */
function mergeAlike(decisions: readonly RuleDecision[]): readonly RuleDecision[] {
  if (decisions.length < 2) return decisions
  return [...Map.groupBy(decisions, toEffect).values()].flatMap((alike) => {
    const [first] = alike
    return first === undefined ? [] : [{ ...first, ruleIds: alike.flatMap(({ ruleIds }) => ruleIds) }]
  })
}

/** Equal for decisions that differ only in their rules. */
function toEffect({ result, heldUntil = 0, destinationIds, users }: RuleDecision): string {
  return [
    result,
    heldUntil,
    ...destinationIds,
    '',
    ...users.flatMap(({ userId, way }) => [userId, way]),
  ].join(' ')
}

/** The rows of a transition in `inbox_items`, one per user. */
export function toInboxRows({ transition, issueId, notice, decisions }: DecidedTransition) {
  const rulesByUser = new Map<string, string[]>()
  // The inbox is silent, so quiet hours do not delay it.
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
