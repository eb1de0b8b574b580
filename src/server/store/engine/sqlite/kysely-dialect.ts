import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { CompiledQuery, SqliteAdapter, SqliteIntrospector } from 'kysely'
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import { toSqlInput } from '#server/store/engine/sql-input.ts'
import { retryWhileBusy, within } from './busy-wait.ts'
import { SqliteCompiler } from './compiler.ts'
import type { Lock } from './lock.ts'

/** Preparing takes 7 µs of a 10 µs point select; screens use about forty statements. */
const keptStatements = 200

export interface NodeSqliteDialectOptions {
  /** Stays open when Kysely is destroyed: its owner closes it. */
  sqlite: DatabaseSync
  /** Acquired for each statement, or for a whole transaction. */
  lock: Pick<Lock, 'acquire' | 'release'>
  /** Called once per statement, before it runs. */
  onStatement?: (sql: string) => void
  /** Called once per statement, after it has run. */
  onDone?: (sql: string, parameters: readonly unknown[]) => void
}

/**
 * Kysely on Node's built-in SQLite. Transactions begin IMMEDIATE, so that none fails half-way because it
 * cannot get the write lock; a statement that finds the file locked by another process is repeated for
 * `limits.storeBusyMs`.
 *
 * A column whose name ends in `_json` contains a list of rows (`jsonRows`), which SQLite returns as text, and
 * is parsed: no stored column has such a name.
 */
export function createNodeSqliteDialect(options: NodeSqliteDialectOptions): Dialect {
  return {
    createAdapter: () => new LockedAdapter(),
    createDriver: () => createDriver(options),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  }
}

/**
 * Without Kysely's own mutex, because the driver has a lock: Kysely keeps its mutex forever when `acquire`
 * rejects, which would make all further reads wait, and the reads that wait for it have no time limit.
 */
class LockedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function createDriver(options: NodeSqliteDialectOptions): Driver {
  const { sqlite, lock } = options
  const connection = createConnection(options)
  const run = async (sql: string) => {
    await connection.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    init: () => Promise.resolve(),
    async acquireConnection() {
      await lock.acquire()
      return connection
    },
    beginTransaction: () => run('BEGIN IMMEDIATE'),
    commitTransaction: () => run('COMMIT'),
    // SQLite rolls back automatically on a full disk; a second rollback would hide the original error.
    rollbackTransaction: () => (sqlite.isTransaction ? run('ROLLBACK') : Promise.resolve()),
    releaseConnection() {
      lock.release()
      return Promise.resolve()
    },
    destroy: () => Promise.resolve(),
  }
}

function createConnection({ sqlite, onStatement, onDone }: NodeSqliteDialectOptions): DatabaseConnection {
  const findStatement = createStatementCache(sqlite)
  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      onStatement?.(sql)
      const run = (): QueryResult<Row> => {
        const { statement, columns } = findStatement(sql)
        const values = parameters.map(toSqlInput)
        if (columns.length === 0)
          return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
        const rows = statement.all(...values)
        for (const name of columns) if (name.endsWith('_json')) parseColumn(rows, name)
        // Kysely's types describe the columns; the driver does not know them.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return { rows: rows as Row[] }
      }
      const result = await retryWhileBusy(run, within(limits.storeBusyMs))
      onDone?.(sql, parameters)
      return result
    },
    streamQuery() {
      throw new Error('the store reads pages, it does not stream')
    },
  }
}

function createStatementCache(sqlite: DatabaseSync) {
  const statements = new BoundedMap<string, { statement: StatementSync; columns: string[] }>(keptStatements)
  return (sql: string) =>
    statements.getOrCreate(sql, () => {
      const statement = sqlite.prepare(sql)
      return { statement, columns: statement.columns().map(({ name }) => name) }
    })
}

function parseColumn(rows: Record<string, unknown>[], name: string): void {
  for (const row of rows) row[name] = JSON.parse(String(row[name]))
}
