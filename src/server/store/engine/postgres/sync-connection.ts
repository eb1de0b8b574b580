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
import type { ConnectionStatement, QueryResult } from './connection-message.ts'
import { ConnectionWorker, InterruptedError } from './connection-worker.ts'
import { PostgresError } from './error.ts'
import { ServerWatch } from './liveness/server-watch.ts'
import { isCommitted } from './lost-commit.ts'
import { PlanAge } from './plan-age.ts'
import { countExclusive, lockEverything, lockProjects, type NumberedLocks } from './project-locks.ts'
import type { CachedRead } from './read-cache.ts'
import { mayBeRemembered } from './remembered-tables.ts'
import { PreparedStatements } from './statements/prepared-statements.ts'
import { type SetStatement, toPresenceSql } from './statements/set-statement.ts'
import { toPostgresSql, toSent } from './statements/sql-text.ts'
import { WriteBuffer } from './write-buffer.ts'

/**
 * Heartbeats that may lie between two transactions for the memory of the first to be valid in the second, and
 * the milliseconds after which a failed check is repeated: it fails while other processes write.
 */
const mostSigns = 8
const signsAskMs = 1_000

export interface SyncConnectionOptions {
  /** Milliseconds that a transaction waits for other writers when it begins. It blocks this thread. */
  lockWaitMs: number
  /** Of the server, if other connections of this thread share it. */
  watch?: ServerWatch
}

/**
 * A connection to PostgreSQL whose statements have run when they return: another thread runs them while
 * this one waits. A lost connection is opened again by the next statement.
 *
 * Inside a transaction, the statements of `prepareWrite` and `prepareChange` wait for the next round trip,
 * and form sets in it; those of `prepareRead` return what has been read already. `COMMIT` sends what waits.
 *
 * Throws a `PostgresError` when a statement fails.
 */
export class SyncConnection implements Connection {
  private readonly worker: ConnectionWorker
  private readonly watch: ServerWatch
  private readonly lockWaitMs: number
  private hasBegun = false
  /** Reads may be announced for a transaction that is about to begin. */
  private isBeginning = false
  private transactionId: number | undefined
  /** Of the last transaction, if it was committed and its number is known; and of the one before. */
  private committedId: number | undefined
  private formerId: number | undefined
  /** See `isAlone`; undefined before it is asked. */
  private wasAlone: boolean | undefined
  /** Of `lockProjects`: by the transaction before, with its server, and whether this one found the same. */
  private exclusiveWrites: string | undefined
  private hasSameExclusiveWrites = false
  /** A transaction that excludes all other writers has changed nothing yet that a connection remembers. */
  private isHarmless = false
  private isToBeCounted = false
  private askSignsAt = 0
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
   * A transaction has been begun and not ended. Also if the connection was lost since: its further statements
   * fail, and none of them runs by itself.
   */
  get isTransaction(): boolean {
    return this.hasBegun
  }

  /** Requests that have been answered. */
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
        this.write(statement, values)
        return { changes: 1 }
      },
      expect: (...key) => {
        if (this.isTransaction || this.isBeginning) this.expect(findPresence(), key.map(toSent))
      },
    }
  }

  /** Runs a statement with parameters `$1`, `$2`, … */
  query(sql: string, values: readonly SqlInput[]): QueryResult {
    const isRemembered = mayBeRemembered(sql)
    if (isRemembered) this.endHarmless()
    const results = this.request([...this.buffer.take(), { sql, values: values.map(toSent) }])
    if (isRemembered) for (const read of this.prepared.allReads()) read.clear()
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
      this.hasBegun = true
      this.committedId = undefined
      this.isHarmless = true
      return
    }
    const isRollback = sql.startsWith('ROLLBACK')
    const isStep = sql.startsWith('SAVEPOINT') || sql.startsWith('RELEASE')
    if (isRollback) this.buffer.clear()
    if (mayBeRemembered(sql)) this.endHarmless()
    // What a committed transaction knows is judged when the next one begins.
    if (!isStep && sql !== 'COMMIT') this.forgetReads()
    if (sql === 'COMMIT') this.commit()
    else if (sql === 'ROLLBACK') this.rollback()
    else this.request([...this.buffer.take(), { sql }])
    if (sql === 'BEGIN') this.hasBegun = true
  }

  /**
   * Begins a transaction that writes rows of projects, in parallel to those of other projects. Resolves with
   * the projects that it may write: those that no other transaction writes. Does not block this thread while
   * it waits for locks; a statement or a transaction that comes meanwhile goes first.
   */
  async beginForProjects(wanted: ProjectsWanted): Promise<LockedProjects> {
    const ahead = this.takeReadsAhead(wanted)
    const requests = ahead.map(({ request }) => request)
    const { transactionId, exclusiveWrites, results, ...locked } = await this.lock(wanted, requests)
    this.hasBegun = true
    this.committedId = undefined
    this.transactionId = transactionId
    // A server that was restored from a backup may have lost both rows and counts.
    const seen = `${this.worker.serverRun} ${exclusiveWrites}`
    this.hasSameExclusiveWrites = this.worker.serverRun !== undefined && seen === this.exclusiveWrites
    this.exclusiveWrites = seen
    const keepsRows = transactionId !== undefined && this.findWritesOfOthers() !== 'any'
    for (const read of this.prepared.allReads())
      if (keepsRows) read.keepPresent()
      else read.forget()
    for (const [at, { accept }] of ahead.entries()) accept(results[at]?.rows ?? [])
    return locked
  }

  private takeReadsAhead({ expectReads }: ProjectsWanted) {
    if (expectReads === undefined) return []
    // What an earlier transaction has read is of no use.
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
    for (;;) {
      this.willBegin()
      try {
        return await lockProjects(wanted, options, this.worker)
      } catch (error) {
        if (!(error instanceof InterruptedError)) this.failBegin(error)
      }
    }
  }

  /** The number of the transaction: later ones have higher numbers. */
  readTransactionId(): number {
    this.transactionId ??= Number(
      this.query('SELECT pg_current_xact_id()::text::bigint AS id', []).rows[0]?.['id'],
    )
    return this.transactionId
  }

  /**
   * After a transaction has begun: whether nothing was written since the last one of this connection that was
   * committed, other than heartbeats of processes.
   *
   * Every transaction that writes gets its number behind its locks, and holds them until it ends. Between two
   * with consecutive numbers, none has begun; one that began before the first and ends after it writes rows
   * of other projects. The last transaction that wrote a row is the row's `xmin`.
   */
  private isAlone(): boolean {
    this.wasAlone ??= this.findAlone()
    return this.wasAlone
  }

  /**
   * After a transaction has begun: what others may have written since the last one of this connection, if
   * that was committed. Only transactions that exclude all other writers delete rows that ingest writes, and
   * each of these is counted once it has its lock. Sketches of users lose rows by ingest, too: hashes that no
   * later hash brings back.
   */
  findWritesOfOthers(): WritesOfOthers {
    if (this.isAlone()) return 'none'
    return this.formerId !== undefined && this.hasSameExclusiveWrites ? 'noDeletions' : 'any'
  }

  private findAlone(): boolean {
    const { formerId } = this
    // Also for the next transaction.
    const id = this.readTransactionId()
    if (formerId === undefined) return false
    const between = id - formerId - 1
    if (between === 0) return true
    const now = performance.now()
    if (between > mostSigns || now < this.askSignsAt) return false
    this.askSignsAt = now + signsAskMs
    const ids = Array.from({ length: between }, (_, at) => (formerId + 1 + at) % 2 ** 32)
    const sql = 'SELECT count(DISTINCT xmin::text) AS n FROM processes WHERE xmin::text = ANY ($1::text[])'
    return this.query(sql, [`{${ids.join(',')}}`]).rows[0]?.['n'] === between
  }

  close(): void {
    this.hasBegun = false
    this.buffer.clear()
    this.watch.stop()
    this.worker.close()
  }

  private willBegin(): void {
    this.buffer.clear()
    this.transactionId = undefined
    this.formerId = this.committedId
    this.wasAlone = undefined
    this.hasSameExclusiveWrites = false
    this.isHarmless = false
    this.isToBeCounted = false
  }

  /** Call before a transaction changes what a connection may remember, or uses what this one does. */
  private endHarmless(): void {
    if (!this.isHarmless) return
    this.isHarmless = false
    this.isToBeCounted = true
    this.forgetReads()
  }

  /** It has written nothing, because it did not get its locks. */
  private failBegin(error: unknown): never {
    this.rollback()
    throw error
  }

  /** Where the answer is lost, the server knows whether the transaction has been committed. */
  private commit(): void {
    const { transactionId, worker } = this
    const { serverRun } = worker
    try {
      this.request([...this.buffer.take(), { sql: 'COMMIT' }])
    } catch (error) {
      if (transactionId === undefined || serverRun === undefined) throw error
      if (!isCommitted({ transactionId, serverRun }, error, worker)) throw error
    } finally {
      this.hasBegun = false
    }
    // A harmless one leaves valid what the one before it knew.
    this.committedId = this.isHarmless ? this.formerId : transactionId
    this.isHarmless = false
  }

  private forgetReads(): void {
    for (const read of this.prepared.allReads()) read.forget()
  }

  private rollback(): void {
    this.hasBegun = false
    if (!this.worker.isTransaction) return
    try {
      this.request([{ sql: 'ROLLBACK' }])
    } catch {
      // The connection was lost: the server rolls back by itself.
    }
  }

  private write(statement: SetStatement, values: SqlInput[]): void {
    if (!this.isTransaction) {
      this.request([statement.forRow(values)])
      return
    }
    this.endHarmless()
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

  /** Reads everything that is expected, in one round trip. */
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
