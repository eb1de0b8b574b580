import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Connection, SqlInput, Statement } from '#server/store/engine/connection.ts'
import type { ConnectionData, ConnectionReply, ConnectionRequest, QueryResult } from './connection-message.ts'
import { toPostgresSql } from './sql-text.ts'

/** PostgreSQL rejected a statement, or could not be reached. */
class PostgresError extends Error {
  override readonly name = 'PostgresError'
  /**
   * SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html), or an error code of the operating system.
   */
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Key of the lock that writing transactions take turns by: any number that no other program uses. */
const writeLockKey = 0x63_75_6c_77

/** Milliseconds after which a connection without an answer is given up. No statement takes as long. */
const answerMs = 120_000

export interface SyncConnectionOptions {
  /** Milliseconds that `BEGIN IMMEDIATE` waits for other writers. It blocks this thread. */
  lockWaitMs: number
}

/**
 * A connection to PostgreSQL whose statements have run when they return: a thread of its own runs them while
 * this one waits. A lost connection is opened again by the next statement.
 *
 * Throws a `PostgresError` when a statement fails.
 */
export class SyncConnection implements Connection {
  private readonly worker: Worker
  private readonly port: MessagePort
  private readonly isAnswered: Int32Array
  private readonly begin: string
  isOpen = true
  isTransaction = false

  constructor(url: string, { lockWaitMs }: SyncConnectionOptions) {
    const { port1, port2 } = new MessageChannel()
    const signal = new SharedArrayBuffer(4)
    this.isAnswered = new Int32Array(signal)
    this.port = port1
    const data: ConnectionData = { url, port: port2, signal }
    this.worker = new Worker(new URL('connection-thread.ts', import.meta.url), {
      workerData: data,
      // Those of the process may be for its own source.
      execArgv: [],
      transferList: [port2],
    })
    this.worker.unref()
    this.begin = `BEGIN; SET LOCAL lock_timeout = ${lockWaitMs}; SELECT pg_advisory_xact_lock(${writeLockKey})`
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

  /** Runs a statement with parameters `$1`, `$2`, … */
  query(sql: string, values: readonly SqlInput[]): QueryResult {
    return this.request({ sql, values: values.map(toSent) })
  }

  exec(sql: string): void {
    if (sql !== 'BEGIN IMMEDIATE') {
      this.request({ sql })
      return
    }
    try {
      this.request({ sql: this.begin })
    } catch (error) {
      if (this.isTransaction) this.request({ sql: 'ROLLBACK' })
      throw error
    }
  }

  close(): void {
    this.isOpen = false
    void this.worker.terminate()
  }

  private request(request: ConnectionRequest): QueryResult {
    if (!this.isOpen) throw new PostgresError('the connection is closed', 'CLOSED')
    Atomics.store(this.isAnswered, 0, 0)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of worker threads has none
    this.port.postMessage(request)
    if (Atomics.wait(this.isAnswered, 0, 0, answerMs) === 'timed-out') {
      this.close()
      throw new PostgresError(`no answer within ${answerMs} ms`, 'ETIMEDOUT')
    }
    // Only the thread of this connection writes to the port.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const reply = receiveMessageOnPort(this.port)?.message as ConnectionReply
    this.isTransaction = reply.isTransaction
    if (reply.ok) return reply.result
    throw new PostgresError(reply.message, reply.code ?? 'UNKNOWN')
  }
}

/** Bytes as arrays of their own, and U+0000, which a text in PostgreSQL cannot hold, as U+FFFD. */
function toSent(value: SqlInput): SqlInput {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value
  if (ArrayBuffer.isView(value) && value.byteLength !== value.buffer.byteLength) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice()
  }
  return value
}
