import { ExpressionWrapper, FunctionNode, sql } from 'kysely'
import type { Expression } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/sqlite'

/** The function of `perEngine` in a query, of which each compiler writes its own argument. */
export const perEngineFunction = 'per_engine'

/** SQL that the engines write differently. The compiler of each writes its own part of a query. */
export function perEngine<Value>(texts: { sqlite: Expression<Value>; postgres: Expression<Value> }) {
  const node = FunctionNode.create(perEngineFunction, [
    texts.sqlite.toOperationNode(),
    texts.postgres.toOperationNode(),
  ])
  return sql<Value>`${new ExpressionWrapper<never, never, Value>(node)}`
}

type Subquery<Row> = Parameters<typeof jsonArrayFrom<Row>>[0]

/** The rows of a subquery as one column. Its name must end in `_json`: SQLite returns it as a text. */
export function jsonRows<Row>(subquery: Subquery<Row>) {
  const sqlite = jsonArrayFrom(subquery)
  return perEngine({
    sqlite,
    postgres: sql`(select coalesce(json_agg(agg), '[]') from ${subquery} as agg)`,
  })
}
