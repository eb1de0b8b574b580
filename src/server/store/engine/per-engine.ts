import { ExpressionWrapper, FunctionNode, RawNode, sql, ValueNode, type Expression } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/sqlite'
import type { Db } from '#server/store/schema/database.ts'
import type { SqlInput } from './connection.ts'

/**
 * The name of the function of `perEngine` in a query; the compiler of each engine replaces it by its own
 * argument.
 */
export const perEngineFunction = 'per_engine'

/** SQL that differs between engines. The compiler of each engine writes its own variant. */
export function perEngine<Value>(texts: { sqlite: Expression<Value>; postgres: Expression<Value> }) {
  const node = FunctionNode.create(perEngineFunction, [
    texts.sqlite.toOperationNode(),
    texts.postgres.toOperationNode(),
  ])
  return sql<Value>`${new ExpressionWrapper<never, never, Value>(node)}`
}

const engineName = perEngine({ sqlite: sql`sqlite`, postgres: sql`postgres` })

/** True if the queries are for PostgreSQL, where each statement is a round trip. */
export function isForPostgres(db: Db): boolean {
  return engineName.compile(db).sql === 'postgres'
}

/** A statement with a value for each `?`, as a query. It must contain no other `?`. */
export function toQuery<Row = unknown>(text: string, values: readonly SqlInput[]) {
  const parameters = values.map((value) => ValueNode.create(value))
  return sql<Row>`${new ExpressionWrapper(RawNode.create(text.split('?'), parameters))}`
}

/** The numbers of a JSON array as a subquery, so that the statement does not depend on their count. */
export function numbersOf(json: string) {
  return perEngine<number>({
    sqlite: sql`(select value from json_each(${json}))`,
    postgres: sql`(select value::bigint from json_array_elements_text(${json}::json) as numbers (value))`,
  })
}

/** True if a column is one of the numbers of a JSON array. Searches an index for each of them. */
export function isOneOf(column: Expression<unknown>, json: string) {
  return perEngine<boolean>({
    sqlite: sql`${column} in (select value from json_each(${json}))`,
    postgres: sql`${column} = any (array(select value::bigint from json_array_elements_text(${json}::json) as numbers (value)))`,
  })
}

/** Concatenates the bytes of a group of rows in any order, separated by two zeros. */
export function joinedBytes(column: Expression<unknown>) {
  return perEngine<Uint8Array>({
    sqlite: sql`unhex(group_concat(hex(${column}), '0000'))`,
    postgres: sql`string_agg(${column}, '\\x0000'::bytea)`,
  })
}

/** The bytes of a column as lower-case hex digits; the empty text for null. */
export function hexOf(column: Expression<unknown>) {
  return perEngine<string>({
    sqlite: sql`lower(hex(${column}))`,
    postgres: sql`coalesce(encode(${column}, 'hex'), '')`,
  })
}

/** The offset of bytes in a column, from 1; 0 if the column does not contain them. */
export function bytesOffset(column: Expression<unknown>, bytes: Uint8Array) {
  return perEngine<number>({
    sqlite: sql`instr(${column}, ${bytes})`,
    postgres: sql`position(cast(${bytes} as bytea) in ${column})`,
  })
}

/** The offset of a text in another one, from 1; 0 if it is not contained. */
export function textOffset(text: Expression<unknown>, part: string) {
  return perEngine<number>({
    sqlite: sql`instr(${text}, ${part})`,
    postgres: sql`strpos(${text}, ${part})`,
  })
}

/** Escapes a text for a pattern of `LIKE`. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/** True if a text contains the pieces in order, case-insensitively for ASCII letters. */
export function containsPieces(text: Expression<unknown>, pieces: readonly string[]) {
  const pattern = `%${pieces.map(escapeLike).join('%')}%`
  return perEngine<boolean>({
    sqlite: sql`${text} like ${pattern} escape '\\'`,
    postgres: sql`${text} ilike ${pattern}`,
  })
}

/** An integer as a floating-point number: sums of many integers would overflow. */
export function toReal(column: Expression<unknown>) {
  return sql<number>`cast(${column} as double precision)`
}

/** The smaller of two numbers. */
export function leastOf(one: Expression<number>, other: Expression<number>) {
  return perEngine<number>({
    sqlite: sql`min(${one}, ${other})`,
    postgres: sql`least(${one}, ${other})`,
  })
}

/** The numbers of a group of rows as the text of a JSON array. */
export function jsonNumbers(column: Expression<unknown>) {
  return perEngine<string>({
    sqlite: sql`json_group_array(${column})`,
    postgres: sql`coalesce(json_agg(${column}), '[]')::text`,
  })
}

type Subquery<Row> = Parameters<typeof jsonArrayFrom<Row>>[0]

/**
 * The rows of a subquery as one column. The column's name must end in `_json`, because SQLite returns the
 * rows as text.
 */
export function jsonRows<Row>(subquery: Subquery<Row>) {
  const sqlite = jsonArrayFrom(subquery)
  return perEngine({
    sqlite,
    postgres: sql`(select coalesce(json_agg(agg), '[]') from ${subquery} as agg)`,
  })
}
