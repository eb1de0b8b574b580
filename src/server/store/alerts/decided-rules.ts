import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'

const idList = v.pipe(v.string(), v.parseJson(), v.array(v.string()))

/** The rules of a row in `alert_decisions`. */
export function parseRuleIds(row: { rule_id: string; more_rule_ids: string | null }): string[] {
  return row.more_rule_ids === null ? [row.rule_id] : [row.rule_id, ...v.parse(idList, row.more_rule_ids)]
}

/** Whether a row of `alert_decisions as d` is of this rule. An id has no wildcard and no quotation mark. */
export function isDecisionOf(ruleId: string): RawBuilder<boolean> {
  return sql<boolean>`(d.rule_id = ${ruleId} or d.more_rule_ids like ${`%"${ruleId}"%`})`
}
