import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import { readOwnMigrations } from './migrations.ts'
import { applyPostgresMigrations } from './postgres/apply-migrations.ts'
import { applySqliteMigrations } from './sqlite/apply-migrations.ts'

/**
 * By table, a line for each column: its name, its type, whether it is required, and its position in the
 * primary key.
 */
type Shape = Map<string, string[]>

/** The tables of full-text search differ between the engines. */
const isOwnKind = (table: string) => table.startsWith('issue_texts')

const typeNames: Record<string, string> = {
  INTEGER: 'bigint',
  TEXT: 'text C',
  BLOB: 'bytea',
  REAL: 'double precision',
}

async function readSqliteShape(): Promise<Shape> {
  const sqlite = new DatabaseSync(':memory:')
  applySqliteMigrations(sqlite, (await readOwnMigrations()).sqlite, () => 0)
  const rows = sqlite
    .prepare(
      `SELECT t.name AS table_name, c.name, c.type, c."notnull" AS is_required, c.pk
       FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY c.name`,
    )
    .all()
  sqlite.close()
  return toShape(
    rows.map((row) => ({
      table: String(row['table_name']),
      line: `${String(row['name'])} ${typeNames[String(row['type'])]} ${Number(row['is_required'])} ${Number(row['pk'])}`,
    })),
  )
}

async function readPostgresShape(): Promise<Shape> {
  const cluster = await startPostgresCluster()
  try {
    const client = new Client({ connectionString: await cluster.createDatabase('fresh') })
    await client.connect()
    await applyPostgresMigrations(client, (await readOwnMigrations()).postgres, () => 0)
    const { rows } = await client.query<{ table: string; line: string }>(
      `SELECT c.table_name AS table, concat_ws(' ', c.column_name, c.data_type, c.collation_name,
         CASE c.is_nullable WHEN 'NO' THEN 1 ELSE 0 END, coalesce(k.ordinal_position, 0)) AS line
       FROM information_schema.columns c
       LEFT JOIN information_schema.table_constraints t
         ON t.table_schema = c.table_schema AND t.table_name = c.table_name AND t.constraint_type = 'PRIMARY KEY'
       LEFT JOIN information_schema.key_column_usage k
         ON k.constraint_name = t.constraint_name AND k.table_name = c.table_name AND k.column_name = c.column_name
       WHERE c.table_schema = 'public' ORDER BY c.column_name COLLATE "C"`,
    )
    await client.end()
    return toShape(rows)
  } finally {
    await cluster.stop()
  }
}

function toShape(rows: { table: string; line: string }[]): Shape {
  const shape: Shape = new Map()
  for (const { table, line } of rows) {
    if (!isOwnKind(table)) shape.set(table, [...(shape.get(table) ?? []), line])
  }
  return shape
}

describe.skipIf(findPostgresPrograms() === undefined)('the schemas of SQLite and PostgreSQL', () => {
  it('have the same migrations', async () => {
    const { sqlite, postgres } = await readOwnMigrations()
    expect(postgres.map(({ name }) => name)).toEqual(sqlite.map(({ name }) => name))
  })

  it('have the same tables, columns and primary keys', async () => {
    const [sqlite, postgres] = await Promise.all([readSqliteShape(), readPostgresShape()])
    expect([...postgres.keys()].toSorted()).toEqual([...sqlite.keys()].toSorted())
    for (const [table, lines] of sqlite) expect([table, postgres.get(table)]).toEqual([table, lines])
  })
})
