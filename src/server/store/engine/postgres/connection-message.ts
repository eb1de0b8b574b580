import type { MessagePort } from 'node:worker_threads'
import type { SqlInput, SqlRow } from '#server/store/engine/connection.ts'

/** What the thread of a connection is started with. */
export interface ConnectionData {
  url: string
  port: MessagePort
  /** One `int32`: 1 as soon as a reply is there. */
  signal: SharedArrayBuffer
}

/** A statement, or several of them where there are no `values`. */
export interface ConnectionRequest {
  sql: string
  values?: SqlInput[]
}

export interface QueryResult {
  rows: SqlRow[]
  /** Rows that the last statement returned or changed. */
  rowCount: number
}

export type ConnectionReply =
  | { ok: true; result: QueryResult; isTransaction: boolean }
  | { ok: false; message: string; code: string | undefined; isTransaction: boolean }
