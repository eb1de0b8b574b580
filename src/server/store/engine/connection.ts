/** A parameter of a statement. */
export type SqlInput = null | number | bigint | string | NodeJS.ArrayBufferView

/** A value in a row. */
export type SqlOutput = null | number | bigint | string | Uint8Array

export type SqlRow = Record<string, SqlOutput>

/** A statement that reads. */
export interface ReadStatement {
  /** The first row; undefined if there is none. */
  get(...values: SqlInput[]): SqlRow | undefined
  all(...values: SqlInput[]): SqlRow[]
  /**
   * Announces a read of this transaction, for an engine whose reads are round trips to a server: the next
   * read that needs a round trip also requests all announced reads. Call it as `expect?.()`, so that
   * arguments are not evaluated if it is missing.
   */
  expect?(...values: SqlInput[]): void
}

/** A statement that writes rows and whose result is not used. Its errors may be thrown by the commit. */
export interface WriteStatement {
  run(...values: SqlInput[]): unknown
}

/** A statement that writes the row of a key and returns whether it changed. */
export interface ChangeStatement {
  /** Returns the number of inserted, changed or deleted rows. */
  run(...values: SqlInput[]): { changes: number | bigint }
  /**
   * Announces that the statement will run for the row with this key, whose values are in the order of the
   * key's columns.
   */
  expect?(...key: SqlInput[]): void
}

/** A statement that can run any number of times. Parameters are written as `?`. */
export interface Statement {
  /** The first row; undefined if there is none. */
  get(...values: SqlInput[]): SqlRow | undefined
  all(...values: SqlInput[]): SqlRow[]
  /** The rows, read one by one. */
  iterate(...values: SqlInput[]): Iterable<SqlRow>
  /** Returns the number of inserted, changed or deleted rows. */
  run(...values: SqlInput[]): { changes: number | bigint }
}

/** Prepares statements. */
export interface Preparer {
  prepare(sql: string): Statement
}

/**
 * Prepares statements that run many times in one transaction. An engine whose server is another process sends
 * them together.
 */
export interface SetPreparer {
  /** A `SELECT` of one or a few rows by values of their columns: `WHERE project_id = ? AND …`. */
  prepareRead(sql: string): ReadStatement
  prepareWrite(sql: string): WriteStatement
  /** `INSERT … ON CONFLICT (…) DO NOTHING`, or an `UPDATE` by the primary key. */
  prepareChange(sql: string): ChangeStatement
}

/**
 * A synchronous connection: a statement has run when the call returns. For code that must not be interrupted
 * between two statements, such as a batch of ingest.
 */
export interface Connection extends Preparer {
  /** Runs statements without parameters. `BEGIN IMMEDIATE` begins a transaction that writes. */
  exec(sql: string): void
  readonly isOpen: boolean
  readonly isTransaction: boolean
  close(): void
}
