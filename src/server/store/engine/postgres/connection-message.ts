import type { MessagePort } from 'node:worker_threads'
import type { SqlInput, SqlRow } from '#server/store/engine/connection.ts'

/** What the thread of a connection is started with. */
export interface ConnectionData {
  url: string
  port: MessagePort
  /** One `int32`: the number of the last request whose reply is there. */
  signal: SharedArrayBuffer
}

/** A statement, or several of them where there are no `values`. */
export interface ConnectionStatement {
  sql: string
  values?: SqlInput[]
}

/** Statements for one round trip. Behind one that fails in a transaction, none has an effect. */
export interface ConnectionRequest {
  /** Consecutive; begins again after 2³¹. */
  number: number
  statements: ConnectionStatement[]
  /** They belong to a transaction that has been begun; without it, they must not run. */
  isContinued: boolean
}

export interface QueryResult {
  rows: SqlRow[]
  /** Rows that the statement returned or changed. */
  rowCount: number
}

export type ConnectionReply = ConnectionState &
  ({ ok: true; results: QueryResult[] } | { ok: false; message: string; code: string | undefined })

/** What is known of a connection after a request. */
export interface ConnectionState {
  isTransaction: boolean
  /**
   * Another text after the server was restarted or has recovered from a crash; undefined without a
   * connection.
   */
  serverRun: string | undefined
}
