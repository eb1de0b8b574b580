import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import * as v from 'valibot'
import type { Db, Tx } from '#server/store/schema/database.ts'
import { dayOf } from '#time/time-steps.ts'

const idList = v.fallback(v.pipe(v.string(), v.parseJson(), v.array(v.string())), [])

/** The rules of a row in `alert_decisions`, including those of its set; `rule_ids` is null without a set. */
export function parseRuleIds(row: { rule_id: string; rule_ids: string | null }): string[] {
  return row.rule_ids === null ? [row.rule_id] : [row.rule_id, ...v.parse(idList, row.rule_ids)]
}

/** The decisions of projects with the rules of their sets. */
export function selectDecidedRules(db: Db) {
  return db
    .selectFrom('alert_decisions as d')
    .leftJoin('alert_rule_sets as s', (join) =>
      join.onRef('s.project_id', '=', 'd.project_id').onRef('s.id', '=', 'd.rule_set_id'),
    )
}

/** True if a row of `selectDecidedRules` includes this rule. Ids contain no wildcards or quotation marks. */
export function isDecisionOf(ruleId: string): RawBuilder<boolean> {
  return sql<boolean>`(d.rule_id = ${ruleId} or s.rule_ids like ${`%"${ruleId}"%`})`
}

/**
 * Inserts the rule sets of decisions that do not exist yet. Returns their ids in the same order; null for a
 * single rule, whose id is in the decision itself. `now` in Unix milliseconds.
 */
export async function writeRuleSets(
  tx: Tx,
  { projectId, ruleIds, now }: { projectId: number; ruleIds: readonly (readonly string[])[]; now: number },
): Promise<(string | null)[]> {
  const at = dayOf(now)
  const rows = ruleIds.map(([, ...more]) => {
    if (more.length === 0) return undefined
    const listed = JSON.stringify(more)
    const id = createHash('sha256').update(`${at} ${listed}`).digest('base64url').slice(0, 16)
    return { project_id: projectId, id, rule_ids: listed, at }
  })
  const byId = new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.id, row] as const])))
  // All processes use the same order, because PostgreSQL locks each row.
  const sets = [...byId].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  if (sets.length > 0)
    await tx
      .insertInto('alert_rule_sets')
      .values(sets)
      .onConflict((on) => on.doNothing())
      .execute()
  return rows.map((row) => row?.id ?? null)
}
