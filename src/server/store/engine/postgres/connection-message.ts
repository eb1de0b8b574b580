import type { MessagePort } from 'node:worker_threads'
import type { SqlInput, SqlRow } from '#server/store/engine/connection.ts'

/** The message that opens a connection in a thread. Closing the port ends it. */
export interface ConnectionData {
  url: string
  port: MessagePort
  /** One `int32`: the number of the last answered request. */
  signal: SharedArrayBuffer
}

/** A statement, or, without `values`, several statements. */
export interface ConnectionStatement {
  sql: string
  values?: SqlInput[]
}

/** Statements for one round trip. In a transaction, the statements after a failed one have no effect. */
export interface ConnectionRequest {
  /** Consecutive; wraps around after 2³¹. */
  number: number
  statements: ConnectionStatement[]
  /** True if they belong to a transaction that has begun; they must not run outside of it. */
  isContinued: boolean
}

export interface QueryResult {
  rows: SqlRow[]
  /** The number of returned or changed rows. */
  rowCount: number
}

export type ConnectionReply = ConnectionState &
  ({ ok: true; results: QueryResult[] } | { ok: false; message: string; code: string | undefined })

/** The state of a connection after a request. */
export interface ConnectionState {
  isTransaction: boolean
  /** Changes when the server was restarted or has recovered from a crash; undefined without a connection. */
  serverRun: string | undefined
}
