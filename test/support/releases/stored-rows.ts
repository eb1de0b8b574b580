import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

/** The rows of a database as text, without the server. */
export interface StoredRows {
  /** By table, the names of its columns. */
  columns: Map<string, string[]>
  /** The values of these columns in every row, as JSON, in any fixed order. */
  read: (table: string, columns: readonly string[]) => Promise<string[]>
}

/** Tables of the engines' own kinds, and the list of migrations. */
const isIndexOrOwn = (table: string) => table.startsWith('issue_texts') || table === 'schema_migrations'

/** Reads the database in a file, or at an address. */
export async function withStoredRows<T>(place: string, work: (rows: StoredRows) => Promise<T>): Promise<T> {
  return place.startsWith('postgres:') ? withPostgres(place, work) : withSqlite(place, work)
}

async function withSqlite<T>(file: string, work: (rows: StoredRows) => Promise<T>): Promise<T> {
  const sqlite = new DatabaseSync(file, { readOnly: true })
  try {
    const found = sqlite
      .prepare(
        `SELECT t.name AS "table", c.name FROM pragma_table_list t, pragma_table_info(t.name) c
         WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`,
      )
      .all()
    return await work({
      columns: toColumns(found.map((row) => ({ table: String(row['table']), name: String(row['name']) }))),
      read: (table, columns) => Promise.resolve(toLines(sqlite.prepare(selectFrom(table, columns)).all())),
    })
  } finally {
    sqlite.close()
  }
}

async function withPostgres<T>(url: string, work: (rows: StoredRows) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ table: string; name: string }>(
      `SELECT c.table_name AS table, c.column_name AS name
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       ORDER BY c.table_name, c.ordinal_position`,
    )
    return await work({
      columns: toColumns(rows),
      read: async (table, columns) =>
        toLines((await client.query<Record<string, unknown>>(selectFrom(table, columns))).rows),
    })
  } finally {
    await client.end()
  }
}

function selectFrom(table: string, columns: readonly string[]): string {
  return `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM "${table}"`
}

function toColumns(found: { table: string; name: string }[]): Map<string, string[]> {
  const columns = new Map<string, string[]>()
  for (const { table, name } of found) {
    if (!isIndexOrOwn(table)) columns.set(table, [...(columns.get(table) ?? []), name])
  }
  return columns
}

function toLines(rows: Record<string, unknown>[]): string[] {
  return rows.map((row) => JSON.stringify(Object.values(row), asText)).toSorted()
}

function asText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
