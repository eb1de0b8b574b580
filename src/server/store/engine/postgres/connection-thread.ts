/**
 * The thread of a `SyncConnection`: it runs statements while the caller's thread waits. It serves one
 * connection after another, each from the message that names its port until the port is closed.
 */
import { parentPort } from 'node:worker_threads'
import { Client } from 'pg'
import { limits } from '#server/limits.ts'
import { isLost } from './clients/pooled-client.ts'
import type {
  ConnectionData,
  ConnectionReply,
  ConnectionRequest,
  ConnectionState,
  ConnectionStatement,
  QueryResult,
} from './connection-message.ts'
import { probeServer, silenceCode, SilentServerError, toSilence } from './liveness/server-probe.ts'
import { clientConfig, cutOff, hasPreparedNames } from './pool.ts'

/**
 * Milliseconds without a request after which a connection is replaced: while the process was suspended, a
 * router or the server may have dropped it silently.
 */
const staleMs = 60_000

/**
 * SQLSTATE read_only_sql_transaction. A session is read-only or writable from its start: the next one may
 * reach the new primary server.
 */
const readOnlyCode = '25006'

/**
 * After a crash, the server replaces all its processes that belong to no session, even if the postmaster
 * survives. Every user may read their ids.
 */
const serverRunSql = `SELECT concat_ws(' ', pg_postmaster_start_time(), string_agg(pid::text, ' ' ORDER BY pid)) AS run
  FROM pg_stat_activity WHERE datid IS NULL AND usesysid IS NULL`

/** A connection that the first statement opens, and that is opened again after it was lost. */
class LazyClient {
  private readonly url: string
  private readonly hasNames: boolean
  private client: Client | undefined
  /** The open client, or the one that is being opened. */
  private latest: Client | undefined
  private usedAt = 0
  private serverRun: string | undefined
  /** Names of prepared statements, by text. */
  private readonly names = new Map<string, string>()

  constructor(url: string) {
    this.url = url
    this.hasNames = hasPreparedNames(url)
  }

  /**
   * Answers a request. A request that begins a transaction, or only reads, is repeated on a new connection if
   * the old one turns out to be lost.
   */
  async answer(request: ConnectionRequest): Promise<ConnectionReply> {
    this.dropStale()
    const before = this.client
    const reply = await this.attempt(request)
    const isReplaced = before !== undefined && this.client !== before
    if (reply.ok || reply.code === silenceCode) return reply
    if (!isReplaced || request.isContinued || !isRepeatable(request.statements)) return reply
    return this.attempt(request)
  }

  private dropStale(): void {
    const idleMs = performance.now() - this.usedAt
    this.usedAt += idleMs
    if (idleMs >= staleMs && !this.isTransaction()) this.drop()
  }

  private drop(): void {
    const { client } = this
    this.client = undefined
    // Not awaited: the connection may already have ended.
    client?.end().catch(() => undefined)
  }

  /** Ends the connection, or its opening, without a message. */
  cutOff(): void {
    this.client = undefined
    if (this.latest !== undefined) cutOff(this.latest)
  }

  private async attempt({ statements, isContinued }: ConnectionRequest): Promise<ConnectionReply> {
    try {
      if (isContinued && !this.isTransaction()) throw new LostTransactionError()
      const results = await this.whileAnswering(this.run(statements))
      return { ok: true, results, ...this.state() }
    } catch (error) {
      if (error instanceof SilentServerError) this.cutOff()
      await this.settle()
      // The driver may report the end of the connection later.
      if (isEnd(error)) this.drop()
      const code = error instanceof Error && 'code' in error ? String(error.code) : this.codeOfLoss()
      if (code === readOnlyCode) this.drop()
      const message = error instanceof Error ? error.message : String(error)
      return { ok: false, message, code, ...this.state() }
    }
  }

  private async run(statements: readonly ConnectionStatement[]): Promise<QueryResult[]> {
    const client = (this.client ??= await this.connect())
    // All statements are sent before the first answer arrives.
    const settled = await Promise.allSettled(statements.map((statement) => this.query(client, statement)))
    return settled.map((each) => {
      if (each.status === 'rejected') throw each.reason
      return each.value
    })
  }

  /** Waits until the server is ready again: only then is the state of the transaction known. */
  private async settle(): Promise<void> {
    const { client } = this
    if (client === undefined) return
    try {
      await this.whileAnswering(client.query(''))
    } catch (error) {
      if (error instanceof SilentServerError) this.cutOff()
    }
  }

  /**
   * Rejects with a `SilentServerError` if a probe is not answered either. The connection is then cut off, and
   * its request may still have an effect.
   */
  private async whileAnswering<Result>(request: Promise<Result>): Promise<Result> {
    const { promise: silence, reject } = Promise.withResolvers<never>()
    let timer: NodeJS.Timeout | undefined
    let isAnswered = false
    const probe = async () => {
      const result = await probeServer(this.url, limits.postgresProbeMs)
      if (result !== 'answers') reject(toSilence(result))
      else if (!isAnswered) timer = setTimeout(() => void probe(), limits.postgresProbeMs)
    }
    timer = setTimeout(() => void probe(), limits.postgresProbeAfterMs)
    try {
      return await Promise.race([request, silence])
    } finally {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  private async connect(): Promise<Client> {
    const client = new Client({ ...clientConfig(this.url), pipeline: true })
    this.latest = client
    const forget = () => {
      if (this.client === client) this.client = undefined
    }
    client.on('error', forget).on('end', forget)
    await client.connect()
    this.names.clear()
    // The answer arrives before that of the first request, in the same round trip.
    void this.readServerRun(client)
    return client
  }

  private async readServerRun(client: Client): Promise<void> {
    this.serverRun = undefined
    try {
      const { rows } = await client.query<{ run: string }>(serverRunSql)
      if (this.client === client) this.serverRun = rows[0]?.run
    } catch {
      // The connection was lost, and its pending statements with it.
    }
  }

  private state(): ConnectionState {
    return {
      isTransaction: this.isTransaction(),
      serverRun: this.client === undefined ? undefined : this.serverRun,
    }
  }

  private async query(client: Client, { sql, values }: ConnectionStatement): Promise<QueryResult> {
    if (values === undefined) {
      // Several statements in one text; their results are not used.
      const { command } = await client.query(sql)
      if (sql === 'COMMIT' && command === 'ROLLBACK') throw new RolledBackError()
      return { rows: [], rowCount: 0 }
    }
    const statement = { text: sql, values, ...(this.hasNames && { name: this.nameOf(sql) }) }
    const { rows, rowCount } = await client.query<Record<string, unknown>>(statement)
    return { rows: rows.map(copyBytes), rowCount: rowCount ?? 0 }
  }

  private nameOf(sql: string): string {
    const name = this.names.get(sql) ?? `s${this.names.size}`
    this.names.set(sql, name)
    return name
  }

  /** The driver's error about a lost connection has no code: SQLSTATE connection_failure. */
  private codeOfLoss(): string | undefined {
    return this.client === undefined ? '08006' : undefined
  }

  private isTransaction(): boolean {
    return this.client !== undefined && this.client.getTransactionStatus() !== 'I'
  }
}

/** True if the error ended the connection, and not only its transaction. */
function isEnd(error: unknown): boolean {
  return isLost(error) && !(error instanceof LostTransactionError) && !(error instanceof RolledBackError)
}

/** True for a request without an effect on stored data: reads, or one that ended with its connection. */
function isRepeatable(statements: readonly ConnectionStatement[]): boolean {
  if (statements.some(({ sql }) => /\bCOMMIT\b/i.test(sql))) return false
  return (
    /^\s*BEGIN\b/i.test(statements[0]?.sql ?? '') || statements.every(({ sql }) => /^\s*SELECT\b/i.test(sql))
  )
}

/** The connection was lost between two statements of a transaction. */
class LostTransactionError extends Error {
  override readonly name = 'LostTransactionError'
  /** SQLSTATE connection_does_not_exist. */
  readonly code = '08003'

  constructor() {
    super('the connection was lost in the middle of a transaction')
  }
}

/** A statement of the transaction had failed: the server answers COMMIT with a rollback and no error. */
class RolledBackError extends Error {
  override readonly name = 'RolledBackError'
  /** SQLSTATE in_failed_sql_transaction. */
  readonly code = '25P02'

  constructor() {
    super('the transaction was rolled back because a statement of it had failed')
  }
}

/** Copies bytes: a view would be sent with the whole buffer that it is a part of. */
function copyBytes(row: Record<string, unknown>): QueryResult['rows'][number] {
  for (const name in row) {
    const value = row[name]
    if (value instanceof Uint8Array) row[name] = new Uint8Array(value)
  }
  // The types of the store's columns in the driver.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return row as QueryResult['rows'][number]
}

function serve({ url, port, signal }: ConnectionData): void {
  const client = new LazyClient(url)
  const isAnswered = new Int32Array(signal)
  const answer = async (request: ConnectionRequest) => {
    port.postMessage(await client.answer(request))
    Atomics.store(isAnswered, 0, request.number)
    Atomics.notify(isAnswered, 0)
  }
  port.on('message', (request: ConnectionRequest) => void answer(request))
  port.on('close', () => client.cutOff())
}

parentPort?.on('message', (data: ConnectionData) => serve(data))
