import { ExpressionWrapper, FunctionNode } from 'kysely'
import type { Simplify } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/sqlite'

/** The function of `jsonRows` in a query, which each engine's compiler writes in its own SQL. */
export const jsonRowsFunction = 'json_rows'

/**
 * The rows of a subquery as one column, whose name must end in `_json`. Its arguments in the query are the
 * expression for SQLite and the subquery itself.
 */
export function jsonRows<Row>(subquery: Subquery<Row>) {
  const node = FunctionNode.create(jsonRowsFunction, [
    jsonArrayFrom(subquery).toOperationNode(),
    subquery.toOperationNode(),
  ])
  return new ExpressionWrapper<never, never, Simplify<Row>[]>(node)
}

type Subquery<Row> = Parameters<typeof jsonArrayFrom<Row>>[0]
