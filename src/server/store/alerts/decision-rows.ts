import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import type { AlertNotice } from '#alerts/notice.ts'
import type { DecidedTransition, RuleDecision } from './decision-writer.ts'

/**
 * The rows of a transition in `alert_decisions`: one for all rules that decided the same and notify the same
 * receivers, so a storm writes as many rows with 200 rules as with one. `toDeliveryIds` names the messages of a
 * decision; `now` in Unix milliseconds.
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

const idList = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

/** The rules of a row in `alert_decisions`. */
export function parseRuleIds(row: { rule_id: string; more_rule_ids: string | null }): string[] {
  return row.more_rule_ids === null ? [row.rule_id] : [row.rule_id, ...v.parse(idList, row.more_rule_ids)]
}

/** Whether a row of `alert_decisions as d` is of this rule. An id has no wildcard and no quotation mark. */
export function isDecisionOf(ruleId: string): RawBuilder<boolean> {
  return sql<boolean>`(d.rule_id = ${ruleId} or d.more_rule_ids like ${`%"${ruleId}"%`})`
}
