import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeTestFolder, testNow } from '#test/test-store.ts'
import { applySqliteMigrations } from './apply-migrations.ts'

const clock = () => testNow
const first = { version: 1, name: '0001_first', sql: 'CREATE TABLE first (a INTEGER);' }
const second = { version: 2, name: '0002_second', sql: 'CREATE TABLE second (a INTEGER);' }
const bad = {
  version: 2,
  name: '0002_bad',
  sql: 'CREATE TABLE half (a INTEGER); INSERT INTO nowhere VALUES (1);',
}

async function openFile() {
  const sqlite = new DatabaseSync(join(await makeTestFolder(), 'test.db'))
  onTestFinished(() => sqlite.close())
  const tables = () =>
    sqlite
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid`)
      .all()
      .map((row) => row['name'])
  return { sqlite, tables }
}

describe('applying migrations', () => {
  it('applies each once, in order, and records the time', async () => {
    const { sqlite, tables } = await openFile()
    applySqliteMigrations(sqlite, [first], clock)
    applySqliteMigrations(sqlite, [first, second], () => testNow + 1)
    applySqliteMigrations(sqlite, [first, second], clock)
    expect(tables()).toEqual(['schema_migrations', 'first', 'second'])
    expect(sqlite.prepare('SELECT * FROM schema_migrations').all()).toEqual([
      { version: 1, name: '0001_first', applied_at: testNow },
      { version: 2, name: '0002_second', applied_at: testNow + 1 },
    ])
  })

  it('leaves the database at the migration before a failed one, and continues from there', async () => {
    const { sqlite, tables } = await openFile()
    expect(() => applySqliteMigrations(sqlite, [first, bad], clock)).toThrow(/0002_bad failed/)
    expect(tables()).toEqual(['schema_migrations', 'first'])
    expect(sqlite.isTransaction).toBe(false)
    applySqliteMigrations(sqlite, [first, second], clock)
    expect(tables()).toEqual(['schema_migrations', 'first', 'second'])
  })

  it('rejects a database of a development version, and changes nothing', async () => {
    const { sqlite, tables } = await openFile()
    const development = {
      version: 1,
      name: '0001_projects_issues_events',
      sql: 'CREATE TABLE other (a INTEGER);',
    }
    applySqliteMigrations(
      sqlite,
      [development, second, { ...second, version: 3, name: '0003_third', sql: '' }],
      clock,
    )
    for (const own of [[first], [first, second]]) {
      expect(() => applySqliteMigrations(sqlite, own, clock)).toThrow(/never released.*move culvert\.db away/)
    }
    expect(tables()).toEqual(['schema_migrations', 'other', 'second'])
  })

  it('rejects a database that is newer', async () => {
    const { sqlite, tables } = await openFile()
    applySqliteMigrations(sqlite, [first, second], clock)
    expect(() => applySqliteMigrations(sqlite, [first], clock)).toThrow(/version 2, this one knows 1/)
    expect(tables()).toEqual(['schema_migrations', 'first', 'second'])
  })
})
