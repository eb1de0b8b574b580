/** A value that a statement takes. */
export type SqlInput = null | number | bigint | string | NodeJS.ArrayBufferView

/** A value of a row. */
export type SqlOutput = null | number | bigint | string | Uint8Array

export type SqlRow = Record<string, SqlOutput>

/** A statement that runs as often as needed. Parameters are written as `?`. */
export interface Statement {
  /** The first row; undefined without one. */
  get(...values: SqlInput[]): SqlRow | undefined
  all(...values: SqlInput[]): SqlRow[]
  /** The rows one after another. */
  iterate(...values: SqlInput[]): Iterable<SqlRow>
  /** Returns how many rows it inserted, changed or deleted. */
  run(...values: SqlInput[]): { changes: number | bigint }
}

/** Prepares statements. */
export interface Preparer {
  prepare(sql: string): Statement
}

/**
 * A connection whose statements have run when they return: SQLite's own, or one to PostgreSQL. For code that
 * must not be interrupted between two statements, such as a batch of ingest.
 */
export interface Connection extends Preparer {
  /** Runs statements without parameters. `BEGIN IMMEDIATE` begins a transaction that writes. */
  exec(sql: string): void
  readonly isOpen: boolean
  readonly isTransaction: boolean
  close(): void
}
