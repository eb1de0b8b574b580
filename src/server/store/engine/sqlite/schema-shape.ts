import { DatabaseSync } from 'node:sqlite'
import { readOwnMigrations } from '#server/store/engine/migrations.ts'
import { applySqliteMigrations } from './apply-migrations.ts'

/** The tables, indexes and triggers of a database, each with what it must be like. */
export interface SchemaShape {
  /** Name of the last migration. */
  migration: string
  /** Columns of tables, statements of everything else, by name. */
  parts: ReadonlyMap<string, string>
}

/** The shape that the migrations of this Culvert lead to. Takes some tens of milliseconds. */
export async function readOwnShape(): Promise<SchemaShape> {
  const sqlite = new DatabaseSync(':memory:')
  try {
    applySqliteMigrations(sqlite, (await readOwnMigrations()).sqlite, () => 0)
    return readShape(sqlite)
  } finally {
    sqlite.close()
  }
}

/**
 * What of a schema is not as the migrations left it; undefined when nothing is. A hurt byte there can leave a
 * file that is sound for SQLite, on which no statement of ours can run. What an operator has added does not
 * matter, nor does a database of another version.
 */
export function findSchemaDamage(sqlite: DatabaseSync, own: SchemaShape): string | undefined {
  const found = readShape(sqlite)
  if (found.migration !== own.migration) return undefined
  const hurt = [...own.parts].find(([name, part]) => found.parts.get(name) !== part)
  return hurt && `the schema of ${hurt[0]} is not as it was made`
}

/** The tables of FTS5 are internal to SQLite: they are left out. */
const objects = `SELECT s.name, s.type, s.sql, l.type AS kind FROM sqlite_schema s
  LEFT JOIN pragma_table_list l ON l.name = s.name AND l.schema = 'main'
  WHERE s.sql IS NOT NULL AND coalesce(l.type, '') <> 'shadow'`

/**
 * SQLite rewrites the SQL text of a table when a column is added, so tables are compared by their columns.
 */
const columns = `SELECT group_concat(json_array(name, type, "notnull", dflt_value, pk)) AS columns
  FROM (SELECT * FROM pragma_table_xinfo(?) ORDER BY cid)`

function readShape(sqlite: DatabaseSync): SchemaShape {
  const readColumns = sqlite.prepare(columns)
  const parts = new Map<string, string>()
  for (const { name, type, sql, kind } of sqlite.prepare(objects).all()) {
    const isTable = kind === 'table'
    const part = isTable ? readColumns.get(String(name))?.['columns'] : String(sql).replaceAll(/\s+/g, ' ')
    parts.set(String(name), `${String(type)} ${String(part)}`)
  }
  const last = sqlite.prepare('SELECT name FROM schema_migrations ORDER BY version DESC LIMIT 1').get()
  return { migration: String(last?.['name']), parts }
}
