import type { DatabaseSync } from 'node:sqlite'
import { limits } from '#server/limits.ts'
import type { StoreEngine, TableKey, WriteWatch } from '#server/store/engine/engine.ts'
import type { Checkpoints } from './checkpoints.ts'
import { readPages } from './pages.ts'
import { rewriteLog } from './write-gate.ts'

/** KiB of page cache of the connection that writes while a commit thread writes the events. */
const secondWriterCacheKib = 8_192

/** SQLite through the connection that writes. */
export function createSqliteEngine(sqlite: DatabaseSync, checkpoints: Checkpoints): StoreEngine {
  const readVersion = sqlite.prepare('PRAGMA data_version')
  return {
    name: 'SQLite',
    readVersion: () => String(sqlite.prepare('SELECT sqlite_version() AS version').get()?.['version']),
    readSize: () => readPages(sqlite),
    readUsedBytes: () => readPages(sqlite).usedBytes,
    emptyBytes: 0,
    eventRowBytes: limits.eventRowBytes,
    // Takes about 2 µs.
    readDataVersion: () => Number(readVersion.get()?.['data_version']),
    watchWrites: () => watchWrites(sqlite),
    // A statement needs no round trip, so sets would save nothing.
    prepareRead: (sql) => sqlite.prepare(sql),
    prepareWrite: (sql) => sqlite.prepare(sql),
    prepareChange: (sql) => sqlite.prepare(sql),
    numbersIn: (column) => `${column} IN (SELECT value FROM json_each(?))`,
    deletionOf({ table, key, where, ofEach, maxCount }) {
      const columns = ['project_id', ...key].join(', ')
      const isOne = ofEach && `${ofEach.column} IN (SELECT value FROM json_each(${ofEach.parameter}))`
      return `DELETE FROM ${table} WHERE (${columns}) IN (
        SELECT ${columns} FROM ${table} WHERE ${where} ${isOne ? `AND ${isOne}` : ''} LIMIT ${maxCount})`
    },
    prepareIssueText() {
      const statement = sqlite.prepare(
        'INSERT OR REPLACE INTO issue_texts (rowid, title, value, culprit, message) VALUES (?, ?, ?, ?, ?)',
      )
      return { run: (_projectId, issueId, columns) => void statement.run(issueId, ...columns) }
    },
    listTableKeys: () => listTableKeys(sqlite),
    listColumns: (table) =>
      sqlite
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ name }) => String(name)),
    listReferringTables: (table) =>
      sqlite
        .prepare(
          `SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
           WHERE m.type = 'table' AND f."table" = ?`,
        )
        .all(table)
        .map(({ name }) => String(name)),
    yieldToCommitThread: () => sqlite.exec(`PRAGMA cache_size = -${secondWriterCacheKib}`),
    beforeTransaction: () => checkpoints.beforeTransaction(),
    beginRelaxed() {
      sqlite.exec('PRAGMA synchronous = NORMAL')
      sqlite.exec('BEGIN IMMEDIATE')
    },
    endRelaxed: () => sqlite.exec('PRAGMA synchronous = FULL'),
    checkpoint: () => sqlite.exec('PRAGMA wal_checkpoint(PASSIVE)'),
    rewriteLog: () => rewriteLog(sqlite),
    shrink(pageCount) {
      let left = pageCount
      // Every step moves one page.
      for (const _ of sqlite.prepare('PRAGMA incremental_vacuum').iterate()) {
        left -= 1
        if (left <= 0) break
      }
    },
  }
}

function watchWrites(sqlite: DatabaseSync): WriteWatch {
  // Changes with every commit of another connection, and with none of this one.
  const readVersion = sqlite.prepare('PRAGMA data_version')
  // Changes with every row that this connection writes.
  const readChanges = sqlite.prepare('SELECT total_changes() AS total_changes')
  let version: unknown
  let changes: unknown
  return {
    begin() {
      const before = version
      version = readVersion.get()?.['data_version']
      return version === before && readChanges.get()?.['total_changes'] === changes ? 'none' : 'any'
    },
    committed() {
      changes = readChanges.get()?.['total_changes']
    },
  }
}

function listTableKeys(sqlite: DatabaseSync): TableKey[] {
  const columns = sqlite
    .prepare(
      `SELECT m.name AS table_name, c.name AS column_name
       FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.pk > 0 ORDER BY m.name, c.pk`,
    )
    .all()
  const tables = Map.groupBy(columns, (row) => String(row['table_name']))
  return [...tables].map(([table, key]) => ({ table, key: key.map((row) => String(row['column_name'])) }))
}
