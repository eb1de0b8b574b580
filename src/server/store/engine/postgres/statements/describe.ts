import type { ConnectionStatement, QueryResult } from '#server/store/engine/postgres/connection-message.ts'
import type { SetStatement } from './set-statement.ts'

const typesSql = `SELECT name, array_to_string(parameter_types::text[], ',') AS types FROM pg_prepared_statements
  WHERE name LIKE 'describe_%'`

const keysSql = `SELECT c.relname AS name, string_agg(a.attname, ',' ORDER BY array_position(i.indkey::int2[], a.attnum)) AS columns
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
  WHERE i.indisprimary AND c.relnamespace = current_schema()::regnamespace GROUP BY c.relname`

const citusSql = "SELECT 1 FROM pg_extension WHERE extname = 'citus'"

/** Requests the parameter types of statements, and the primary keys of their tables. */
export function describeStatements(
  statements: readonly SetStatement[],
  request: (requests: ConnectionStatement[]) => QueryResult[],
): void {
  const prepare = statements.map(({ sql }, at) => `PREPARE describe_${at} AS ${sql}`)
  const deallocate = statements.map((_, at) => `DEALLOCATE describe_${at}`)
  const [, types, keys, citus] = request([
    { sql: prepare.join('; ') },
    { sql: typesSql, values: [] },
    { sql: keysSql, values: [] },
    { sql: citusSql, values: [] },
    { sql: deallocate.join('; ') },
  ])
  const typesOf = toLists(types, 'types')
  const keysOf = toLists(keys, 'columns')
  const isDistributed = citus !== undefined && citus.rows.length > 0
  for (const [at, statement] of statements.entries()) {
    const described = {
      types: typesOf.get(`describe_${at}`) ?? [],
      primaryKey: keysOf.get(statement.shape.tables[0] ?? '') ?? [],
    }
    statement.describe(described, isDistributed)
  }
}

/** Lists by name. */
function toLists(result: QueryResult | undefined, column: string): Map<string, string[]> {
  return new Map(
    (result?.rows ?? []).map((row) => {
      const text = String(row[column])
      return [String(row['name']), text === '' ? [] : text.split(',')] as const
    }),
  )
}
