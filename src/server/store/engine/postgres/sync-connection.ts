import type {
  ChangeStatement,
  Connection,
  ReadStatement,
  SqlInput,
  SqlRow,
  Statement,
  WriteStatement,
} from '#server/store/engine/connection.ts'
import type { WritesOfOthers } from '#server/store/engine/engine.ts'
import type { LockedProjects, ProjectsWanted } from '#server/store/engine/write-gate.ts'
import { canChangeCachedRows } from './cached-tables.ts'
import type { ConnectionStatement, QueryResult } from './connection-message.ts'
import { ConnectionWorker, InterruptedError } from './connection-worker.ts'
import { PostgresError } from './error.ts'
import { ServerWatch } from './liveness/server-watch.ts'
import { isCommitted } from './lost-commit.ts'
import {
  countExclusive,
  flushLog,
  lockEverything,
  lockProjects,
  type NumberedLocks,
} from './project-locks.ts'
import { ProjectSharing } from './project-sharing.ts'
import type { CachedRead } from './read-cache.ts'
import { PlanAge } from './statements/plan-age.ts'
import { PreparedStatements } from './statements/prepared-statements.ts'
import { type SetStatement, toPresenceSql } from './statements/set-statement.ts'
import { toPostgresSql, toSent } from './statements/sql-text.ts'
import { TransactionSequence } from './transaction-sequence.ts'
import { WriteBuffer } from './write-buffer.ts'

/** Milliseconds for which a transaction that excludes all other writers waits for those that are running. */
const exclusiveWaitMs = 200

export interface SyncConnectionOptions {
  /** Milliseconds for which a transaction waits for other writers at its begin. It blocks this thread. */
  lockWaitMs: number
  /** The watch of the server, if other connections of this thread share it. */
  watch?: ServerWatch
}

/**
 * A synchronous connection to PostgreSQL: another thread runs the statements while this one waits. The next
 * statement reopens a lost connection.
 *
 * Inside a transaction, the statements of `prepareWrite` and `prepareChange` are buffered until the next
 * round trip, which sends them as sets; those of `prepareRead` return rows that have already been read.
 * `COMMIT` sends the buffer.
 *
 * Throws a `PostgresError` if a statement fails.
 */
export class SyncConnection implements Connection {
  private readonly worker: ConnectionWorker
  private readonly watch: ServerWatch
  private readonly lockWaitMs: number
  private hasBegun = false
  /** True while reads may be announced for a transaction that is about to begin. */
  private isBeginning = false
  private readonly sequence = new TransactionSequence((sql, values) => this.query(sql, values))
  /** True while a transaction without other writers has changed no rows that a connection may cache. */
  private isHarmless = false
  private isToBeCounted = false
  private readonly sharing = new ProjectSharing(() => performance.now())
  private readonly buffer = new WriteBuffer()
  private readonly prepared = new PreparedStatements()
  private readonly planAge = new PlanAge()

  constructor(url: string, { lockWaitMs, watch = new ServerWatch(url) }: SyncConnectionOptions) {
    this.watch = watch
    this.worker = new ConnectionWorker(url, watch)
    this.lockWaitMs = lockWaitMs
  }

  get isOpen(): boolean {
    return this.worker.isOpen
  }

  /**
   * True while a transaction is open. Even if the connection has been lost since: the transaction's further
   * statements fail, and none runs outside of it.
   */
  get isTransaction(): boolean {
    return this.hasBegun
  }

  /** Number of answered requests. */
  get roundTripCount(): number {
    return this.worker.requestCount
  }

  prepare(sql: string): Statement {
    const text = toPostgresSql(sql)
    return {
      get: (...values) => this.query(text, values).rows[0],
      all: (...values) => this.query(text, values).rows,
      iterate: (...values) => this.query(text, values).rows,
      run: (...values) => ({ changes: this.query(text, values).rowCount }),
    }
  }

  prepareWrite(sql: string): WriteStatement {
    const statement = this.prepared.find(toPostgresSql(sql))
    return { run: (...values) => this.write(statement, values.map(toSent)) }
  }

  prepareRead(sql: string): ReadStatement {
    const read = this.prepared.findRead(toPostgresSql(sql))
    return {
      get: (...values) => this.read(read, values.map(toSent))[0],
      all: (...values) => this.read(read, values.map(toSent)),
      expect: (...values) => this.expect(read, values.map(toSent)),
    }
  }

  prepareChange(sql: string): ChangeStatement {
    const statement = this.prepared.find(toPostgresSql(sql))
    const isInsert = statement.shape.kind === 'insert'
    // The row of another transaction that shares the project must be an error, because this one is counted.
    const written = this.prepared.find(toPostgresSql(sql).replace(/ ON CONFLICT \([^)]*\) DO NOTHING$/, ''))
    let presence: CachedRead | undefined
    const findPresence = () => {
      this.describe()
      presence ??= this.prepared.findRead(toPresenceSql(statement))
      return presence
    }
    return {
      run: (...given) => {
        const values = given.map(toSent)
        if (!this.isTransaction) return { changes: this.query(statement.sql, values).rowCount }
        const read = findPresence()
        const key = statement.findValues(statement.primaryKey, values) ?? []
        const isThere = this.read(read, key).length > 0
        if (isThere === isInsert) return { changes: 0 }
        this.write(written, values)
        return { changes: 1 }
      },
      expect: (...key) => {
        if (this.isTransaction || this.isBeginning) this.expect(findPresence(), key.map(toSent))
      },
    }
  }

  /** Runs a statement with parameters `$1`, `$2`, … */
  query(sql: string, values: readonly SqlInput[]): QueryResult {
    const changesCachedRows = canChangeCachedRows(sql)
    if (changesCachedRows) this.endHarmless()
    if (changesCachedRows) this.sharing.noteWrite()
    const results = this.request([...this.buffer.take(), { sql, values: values.map(toSent) }])
    if (changesCachedRows) for (const read of this.prepared.allReads()) read.clear()
    return results.at(-1) ?? { rows: [], rowCount: 0 }
  }

  exec(sql: string): void {
    if (sql === 'BEGIN IMMEDIATE') {
      this.willBegin()
      try {
        this.request(lockEverything(this.lockWaitMs))
      } catch (error) {
        this.failBegin(error)
      }
      this.hasBegunExclusive()
      return
    }
    const isRollback = sql.startsWith('ROLLBACK')
    const isStep = sql.startsWith('SAVEPOINT') || sql.startsWith('RELEASE')
    if (isRollback) this.buffer.clear()
    if (canChangeCachedRows(sql)) this.endHarmless()
    // The next begin decides whether the caches of a committed transaction remain valid.
    if (!isStep && sql !== 'COMMIT') this.resetReads()
    if (sql === 'COMMIT') this.commit()
    else if (sql === 'ROLLBACK') this.rollback()
    else this.request([...this.buffer.take(), { sql }])
    if (sql === 'BEGIN') this.hasBegun = true
  }

  /**
   * The same as `BEGIN IMMEDIATE` without blocking this thread, so that it may wait for as long as
   * transactions of other processes take. A statement that is requested meanwhile takes precedence.
   */
  beginExclusive(): Promise<void> {
    return this.beginLater(async () => {
      await this.worker.requestLater(lockEverything(exclusiveWaitMs))
      this.hasBegunExclusive()
    })
  }

  private hasBegunExclusive(): void {
    this.hasBegun = true
    this.sequence.hasBegunExclusive()
    this.isHarmless = true
  }

  /** Repeats a begin that another request of this connection has interrupted. */
  private async beginLater<Result>(begin: () => Promise<Result>): Promise<Result> {
    for (;;) {
      this.willBegin()
      try {
        return await begin()
      } catch (error) {
        if (!(error instanceof InterruptedError)) this.failBegin(error)
      }
    }
  }

  /**
   * Begins a transaction that writes rows of projects, in parallel to those of other projects. Resolves with
   * the projects that it may write: those that no other transaction writes. Does not block this thread while
   * it waits for locks; a statement or a transaction that is requested meanwhile takes precedence.
   */
  async beginForProjects(wanted: ProjectsWanted): Promise<LockedProjects> {
    const ahead = this.takeReadsAhead(wanted)
    const requests = ahead.map(({ request }) => request)
    const { transaction, exclusiveWrites, results, ...locked } = await this.lock(wanted, requests)
    this.hasBegun = true
    this.sequence.hasBegun({ transaction, exclusiveWrites, serverRun: this.worker.serverRun })
    const keepsRows = transaction !== undefined && this.findWritesOfOthers() !== 'any'
    for (const read of this.prepared.allReads())
      if (keepsRows) read.keepPresent()
      else read.reset()
    for (const [at, { accept }] of ahead.entries()) accept(results[at]?.rows ?? [])
    return locked
  }

  private takeReadsAhead({ expectReads }: ProjectsWanted) {
    if (expectReads === undefined) return []
    // Rows that an earlier transaction has read are not valid.
    for (const read of this.prepared.allReads()) read.keepPresent()
    this.isBeginning = true
    try {
      expectReads()
    } finally {
      this.isBeginning = false
    }
    return this.prepared.expectedReads().flatMap((read) => read.takeExpected())
  }

  private async lock(wanted: ProjectsWanted, ahead: readonly ConnectionStatement[]): Promise<NumberedLocks> {
    const options = { lockWaitMs: this.lockWaitMs, withNewPlans: this.planAge.begin(), ahead }
    const choice = this.sharing.choose(wanted)
    const locks = await this.beginLater(() => lockProjects(wanted, { ...options, ...choice }, this.worker))
    this.sharing.hasBegun(locks, choice)
    return locks
  }

  /** See `WriteGate`. */
  fold<Result>(run: () => Result): Result {
    return this.sharing.fold(run)
  }

  /** See `TransactionSequence`. */
  findWritesOfOthers(): WritesOfOthers {
    return this.sequence.findWritesOfOthers()
  }

  close(): void {
    this.hasBegun = false
    this.buffer.clear()
    this.watch.stop()
    this.worker.close()
  }

  private willBegin(): void {
    this.buffer.clear()
    this.sequence.willBegin()
    this.isHarmless = false
    this.isToBeCounted = false
    this.sharing.hasEnded()
  }

  /** Call before a transaction changes rows that a connection may cache, or uses cached rows. */
  private endHarmless(): void {
    if (!this.isHarmless) return
    this.isHarmless = false
    this.isToBeCounted = true
    this.resetReads()
  }

  /** The transaction has written nothing, because it did not get its locks. */
  private failBegin(error: unknown): never {
    this.rollback()
    throw error
  }

  /** If the answer is lost, the server can tell whether the transaction has been committed. */
  private commit(): void {
    const { worker } = this
    const { releasesEarly } = this.sharing
    const transaction = this.sequence.current
    const { serverRun } = worker
    try {
      const flush = releasesEarly ? [flushLog] : []
      this.request([...this.buffer.take(), { sql: 'COMMIT' }, ...flush])
    } catch (error) {
      if (transaction === undefined || serverRun === undefined) throw error
      if (!isCommitted({ transactionId: transaction.id, serverRun }, error, worker)) throw error
      if (releasesEarly) worker.request([flushLog])
      // After a restart, a transaction that was committed but not on disk yet does not exist.
      if (worker.serverRun !== serverRun) throw error
    } finally {
      this.hasBegun = false
      this.sharing.hasEnded()
    }
    this.sequence.hasCommitted({ isHarmless: this.isHarmless })
    this.isHarmless = false
  }

  private resetReads(): void {
    for (const read of this.prepared.allReads()) read.reset()
  }

  private rollback(): void {
    this.hasBegun = false
    this.sharing.hasEnded()
    if (!this.worker.isTransaction) return
    try {
      this.request([{ sql: 'ROLLBACK' }])
    } catch {
      // The connection was lost: the server rolls back automatically.
    }
  }

  private write(statement: SetStatement, values: SqlInput[]): void {
    if (!this.isTransaction) {
      this.request([statement.forRow(values)])
      return
    }
    this.endHarmless()
    this.sharing.noteWrite(statement.shape)
    this.describe()
    this.buffer.add(statement, values)
    this.prepared.noteWrite(statement, values)
  }

  private expect(read: CachedRead, values: SqlInput[]): void {
    if (!this.isTransaction && !this.isBeginning) return
    this.endHarmless()
    read.expect(values)
  }

  private read(read: CachedRead, values: SqlInput[]): SqlRow[] {
    if (!this.isTransaction) return this.query(read.statement.sql, values).rows
    this.endHarmless()
    const known = read.find(values)
    if (known !== undefined) return known
    read.expect(values)
    this.readExpected()
    return read.find(values) ?? []
  }

  /** Reads everything that was announced, in one round trip. */
  private readExpected(): void {
    this.describe()
    const expected = this.prepared.expectedReads()
    const tables = expected.flatMap(({ statement }) => statement.shape.tables)
    const before = this.buffer.holdsAny(tables) ? this.buffer.take() : []
    const taken = expected.flatMap((read) => read.takeExpected())
    const results = this.request([...before, ...taken.map(({ request }) => request)])
    for (const [at, { accept }] of taken.entries()) accept(results[before.length + at]?.rows ?? [])
  }

  private describe(): void {
    this.prepared.describe((requests) => this.request(requests))
  }

  private request(statements: ConnectionStatement[]): QueryResult[] {
    if (this.hasBegun && !this.worker.isTransaction)
      throw new PostgresError('the connection was lost in the middle of a transaction', '08003')
    if (!this.isToBeCounted) return this.worker.request(statements)
    this.isToBeCounted = false
    return this.worker.request([countExclusive, ...statements]).slice(1)
  }
}
