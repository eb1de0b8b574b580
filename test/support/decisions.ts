import { parseRuleIds, selectDecidedRules } from '#server/store/alerts/rule-sets.ts'
import type { Db } from '#server/store/schema/database.ts'

/** A decision of a rule about a transition. */
export interface Decision {
  ruleId: string
  transitionId: string
  issueId: number
  kind: string
  /** Unix milliseconds. */
  at: number
  result: string
}

/** The decisions in a store, one for each rule and transition. */
export async function listDecisions(db: Db): Promise<Decision[]> {
  const rows = await selectDecidedRules(db).selectAll('d').select('s.rule_ids').execute()
  return rows.flatMap((row) =>
    parseRuleIds(row).map((ruleId) => ({
      ruleId,
      transitionId: row.transition_id,
      issueId: row.issue_id,
      kind: row.kind,
      at: row.at,
      result: row.result,
    })),
  )
}
