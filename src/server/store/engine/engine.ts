import type { Preparer, SetPreparer } from '#server/store/engine/connection.ts'
import type { StoreUnavailableError } from '#server/store/errors.ts'

/** The size of the database, and how much of it is in use. */
export interface DatabaseSize {
  /** On disk, without the write-ahead log. */
  fileBytes: number
  /** Without free pages. */
  usedBytes: number
  pageCount: number
  freePages: number
}

/** A table and the columns of its primary key. */
export interface TableKey {
  table: string
  key: string[]
}

/** Rows of one project in a table. */
export interface SomeRows {
  table: string
  /** The columns of the primary key after the project. */
  key: readonly string[]
  /** The first of its parameters is the project: `project_id = ? AND …`. */
  where: string
  /**
   * Only rows in which a column is one of the numbers of a JSON array, which is this parameter: `?3`. Each
   * number is sought in the index separately. The parameters of `where` have numbers, too.
   */
  ofEach?: { column: string; parameter: string }
  maxCount: number
}

/** What other connections may have written. `noDeletions`: new and changed rows only. */
export type WritesOfOthers = 'none' | 'noDeletions' | 'any'

/** Detects what other connections write between the transactions of a connection. */
export interface WriteWatch {
  /**
   * Call once after a transaction has begun: returns what other connections may have written since the last
   * transaction of this watch.
   */
  begin(): WritesOfOthers
  /** Call after that transaction has been committed. */
  committed(): void
}

/** Replaces the search words of an issue by those of its texts: title, value, culprit, message. */
export interface IssueTextStatement {
  run(projectId: number, issueId: number, columns: readonly string[]): void
}

/** The operations that differ by more than SQL. */
export interface StoreEngine extends SetPreparer {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** The version of the engine, such as `3.51.0`. */
  readVersion(): string
  readSize(): DatabaseSize
  /** The `usedBytes` of `readSize`. Cheap enough to call between two deletions of rows. */
  readUsedBytes(): number
  /** The part of `usedBytes` that belongs to no event: the size of an empty database. 0 if unknown. */
  readonly emptyBytes: number
  /** Bytes that the deletion of an event frees in addition to its payload. */
  readonly eventRowBytes: number
  /**
   * A number that changes when another connection, of any process, has committed. Commits of this connection
   * do not change it. Cheap, and never older than the call: compare it to detect that a cache is stale.
   * Rejects with a `StoreUnavailableError` if a server has it and does not answer.
   */
  readDataVersion(): number | Promise<number>
  watchWrites(): WriteWatch
  /** SQL that is true if a column is one of the numbers of a JSON array, which is its parameter. */
  numbersIn(column: string): string
  /** SQL that deletes at most `maxCount` of the rows, and scans no more rows than its condition requires. */
  deletionOf(rows: SomeRows): string
  /** Prepares the statement that writes the search words of an issue. */
  prepareIssueText(): IssueTextStatement
  listTableKeys(): TableKey[]
  listColumns(table: string): string[]
  /** Tables with a foreign key to this table. */
  listReferringTables(table: string): string[]
  /** Frees memory of this connection, because the commit thread writes the events from now on. */
  yieldToCommitThread(): void
  /** Call it before a transaction outside of ingest that changes many pages: checkpoints a long log. */
  beforeTransaction(): Promise<void>
  /** Begins a transaction that need not be on disk when it is committed. */
  beginRelaxed(): Promise<void> | void
  /** Makes transactions durable again. Call after one that was begun with `beginRelaxed`. */
  endRelaxed(): void
  /** Copies the write-ahead log into the database, as far as possible without waiting. */
  checkpoint(): void
  /** Makes sure after an I/O error that the write-ahead log is on disk. Returns the reason if that failed. */
  rewriteLog(): StoreUnavailableError | undefined
  /** Returns at most this many free pages to the file system. */
  shrink(pageCount: number): void
}

/** The source of prepared statements. */
export interface StatementSource {
  /** For statements that run only a few times per batch. */
  connection: Preparer
  engine: Pick<StoreEngine, keyof SetPreparer | 'prepareIssueText' | 'numbersIn'>
}
