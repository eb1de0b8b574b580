/** A value that a statement takes. */
export type SqlInput = null | number | bigint | string | NodeJS.ArrayBufferView

/** A value of a row. */
export type SqlOutput = null | number | bigint | string | Uint8Array

export type SqlRow = Record<string, SqlOutput>

/** A statement that reads. */
export interface ReadStatement {
  /** The first row; undefined without one. */
  get(...values: SqlInput[]): SqlRow | undefined
  all(...values: SqlInput[]): SqlRow[]
  /**
   * Announces a read of this transaction, where reading costs a round trip to a server: the next read that
   * needs one requests everything announced. Call it as `expect?.()`, which evaluates no argument where it is
   * missing.
   */
  expect?(...values: SqlInput[]): void
}

/**
 * A statement that writes rows and whose result is not used. Its errors may be reported as late as the
 * commit.
 */
export interface WriteStatement {
  run(...values: SqlInput[]): unknown
}

/** A statement that writes the row of a key and returns whether it did. */
export interface ChangeStatement {
  /** Returns how many rows it inserted, changed or deleted. */
  run(...values: SqlInput[]): { changes: number | bigint }
  /**
   * Announces that the statement runs for the row with this key, whose values are in the order of its
   * columns.
   */
  expect?(...key: SqlInput[]): void
}

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
 * Prepares statements of which many run in one transaction. An engine whose server is another process sends
 * them together.
 */
export interface SetPreparer {
  /** Of a row, or of a few, by values of its columns: `WHERE project_id = ? AND …`. */
  prepareRead(sql: string): ReadStatement
  prepareWrite(sql: string): WriteStatement
  /** `INSERT … ON CONFLICT (…) DO NOTHING`, or an `UPDATE` by the primary key. */
  prepareChange(sql: string): ChangeStatement
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
