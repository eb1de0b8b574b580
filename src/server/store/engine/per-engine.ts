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

/** The bytes of a column as lower-case hex digits; the empty text for null. */
export function hexOf(column: Expression<unknown>) {
  return perEngine<string>({
    sqlite: sql`lower(hex(${column}))`,
    postgres: sql`coalesce(encode(${column}, 'hex'), '')`,
  })
}

/** The offset of bytes in a column, from 1; 0 where it does not contain them. */
export function bytesOffset(column: Expression<unknown>, bytes: Uint8Array) {
  return perEngine<number>({
    sqlite: sql`instr(${column}, ${bytes})`,
    postgres: sql`position(cast(${bytes} as bytea) in ${column})`,
  })
}

/** True for a text that a pattern of `LIKE` matches; ASCII letters match in any case. A backslash escapes. */
export function isLike(text: Expression<unknown>, pattern: string) {
  return perEngine<boolean>({
    sqlite: sql`${text} like ${pattern} escape '\\'`,
    postgres: sql`${text} ilike ${pattern}`,
  })
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
