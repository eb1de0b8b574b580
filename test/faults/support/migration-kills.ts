import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { applySqliteMigrations } from '#server/store/engine/sqlite/apply-migrations.ts'
import { readMigrationsAndNext } from './next-migration.ts'
import { splitStatements } from './sql-statements.ts'

const program = join(import.meta.dirname, '../fixtures/killed-migration.ts')

/** The number of statements of all migrations. */
export async function countMigrationStatements(): Promise<number> {
  const migrations = await readMigrationsAndNext()
  return migrations.reduce((sum, { sql }) => sum + splitStatements(sql).length, 0)
}

/**
 * Kills a process after this many statements of its migrations: the file must have the whole schema of one
 * version, and the next run must finish.
 */
export async function expectWholeSchema(path: string, killAfter: number): Promise<void> {
  const child = spawn(process.execPath, [program, path, String(killAfter)], { stdio: 'ignore' })
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  const migrations = await readMigrationsAndNext()
  const sqlite = new DatabaseSync(path)
  const version = Number(sqlite.prepare('SELECT max(version) AS v FROM schema_migrations').get()?.['v'])
  expect(schemaOf(sqlite)).toEqual(freshSchema(version))
  applySqliteMigrations(sqlite, migrations, Date.now)
  expect(schemaOf(sqlite)).toEqual(freshSchema(migrations.length))
  expect(sqlite.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  sqlite.close()
  await rm(path)

  function freshSchema(upTo: number): unknown[] {
    const fresh = new DatabaseSync(':memory:')
    applySqliteMigrations(fresh, migrations.slice(0, upTo), Date.now)
    const schema = schemaOf(fresh)
    fresh.close()
    return schema
  }
}

function schemaOf(sqlite: DatabaseSync): unknown[] {
  const tables = sqlite.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
  return [...tables, ...sqlite.prepare('SELECT version FROM schema_migrations').all()]
}
