import { DatabaseSync } from 'node:sqlite'
import { readOwnMigrations } from '#server/store/engine/migrations.ts'
import { applySqliteMigrations } from './apply-migrations.ts'

/** The tables, indexes and triggers of a database, with their definitions. */
export interface SchemaShape {
  /** Name of the last migration. */
  migration: string
  /** By name: the columns of a table, the SQL of anything else. */
  parts: ReadonlyMap<string, string>
}

let ownShape: SchemaShape | undefined

/** The schema that the migrations of this version create. The first call takes some tens of milliseconds. */
export async function readOwnShape(): Promise<SchemaShape> {
  ownShape ??= await makeOwnShape()
  return ownShape
}

async function makeOwnShape(): Promise<SchemaShape> {
  const sqlite = new DatabaseSync(':memory:')
  try {
    applySqliteMigrations(sqlite, (await readOwnMigrations()).sqlite, () => 0)
    return readShape(sqlite)
  } finally {
    sqlite.close()
  }
}

/**
 * The first difference of a schema to the one of the migrations; undefined if there is none. A damaged byte
 * in the schema can leave a file that SQLite finds valid, but on which Culvert's statements fail. Additions
 * by an operator are ignored, and so is a database of another version.
 */
export function findSchemaDamage(sqlite: DatabaseSync, own: SchemaShape): string | undefined {
  const found = readShape(sqlite)
  if (found.migration !== own.migration) return undefined
  const hurt = [...own.parts].find(([name, part]) => found.parts.get(name) !== part)
  return hurt && `the schema of ${hurt[0]} is not as it was made`
}

const objects = 'SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL'

/** Read once: a join would list the tables again for each object. */
const kinds = `SELECT name, type AS kind FROM pragma_table_list WHERE schema = 'main'`

/** SQLite rewrites the SQL of a table when a column is added, so tables are compared by their columns. */
const columns = `SELECT group_concat(json_array(name, type, "notnull", dflt_value, pk)) AS columns
  FROM (SELECT * FROM pragma_table_xinfo(?) ORDER BY cid)`

function readShape(sqlite: DatabaseSync): SchemaShape {
  const readColumns = sqlite.prepare(columns)
  const kindOf = new Map(
    sqlite
      .prepare(kinds)
      .all()
      .map(({ name, kind }) => [name, kind]),
  )
  const parts = new Map<string, string>()
  for (const { name, type, sql } of sqlite.prepare(objects).all()) {
    const kind = kindOf.get(name)
    // The tables of FTS5 are internal to SQLite.
    if (kind === 'shadow') continue
    const isTable = kind === 'table'
    const part = isTable ? readColumns.get(String(name))?.['columns'] : String(sql).replaceAll(/\s+/g, ' ')
    parts.set(String(name), `${String(type)} ${String(part)}`)
  }
  const last = sqlite.prepare('SELECT name FROM schema_migrations ORDER BY version DESC LIMIT 1').get()
  return { migration: String(last?.['name']), parts }
}
