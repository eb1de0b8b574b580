import type { Preparer, SetPreparer } from '#server/store/engine/connection.ts'
import type { StoreUnavailableError } from '#server/store/errors.ts'

/** How large the database is, and how much of it is in use. */
export interface DatabaseSize {
  /** On disk, without the log. */
  fileBytes: number
  /** Without pages that are free. */
  usedBytes: number
  pageCount: number
  freePages: number
}

/** A table and the columns of its primary key. */
export interface TableKey {
  table: string
  key: string[]
}

/** Rows of a table with a project. */
export interface SomeRows {
  table: string
  /** The columns of the primary key after the project. */
  key: readonly string[]
  /** The first of its parameters is the project: `project_id = ? AND …`. */
  where: string
  /**
   * Only rows in which a column is one of the numbers of a JSON array, which is this parameter: `?3`. Each
   * number is sought in the index by itself. The parameters of `where` have numbers, too.
   */
  ofEach?: { column: string; parameter: string }
  maxCount: number
}

/** What other connections may have written: `noDeletions` are rows that are new or changed. */
export type WritesOfOthers = 'none' | 'noDeletions' | 'any'

/** Watches what others write between the transactions of a connection. */
export interface WriteWatch {
  /** Call once after a transaction has begun: what others may have written since this watch's last one. */
  begin(): WritesOfOthers
  /** Call after that transaction has been committed. */
  committed(): void
}

/** Replaces the words of an issue with those of its texts: title, value, culprit, message. */
export interface IssueTextStatement {
  run(projectId: number, issueId: number, columns: readonly string[]): void
}

/** The operations of an engine that are not SQL for both engines. */
export interface StoreEngine extends SetPreparer {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Of the engine, such as `3.51.0`. */
  readVersion(): string
  readSize(): DatabaseSize
  /** The `usedBytes` of `readSize`. Cheap: call it between two rows that are deleted for lack of space. */
  readUsedBytes(): number
  /** Bytes of `usedBytes` that belong to no event: those of an empty database. 0 where they are not known. */
  readonly emptyBytes: number
  /** Bytes that deleting an event frees in addition to its payload. */
  readonly eventRowBytes: number
  /**
   * A number that changes when another connection, of this process or another one, has committed. Commits of
   * this connection do not change it. Cheap: compare it to detect that a cache is stale. If it has to be
   * requested from a server, it may be `maxAgeMs` old: by default half a second. Rejects with a
   * `StoreUnavailableError` if the server does not answer.
   */
  readDataVersion(maxAgeMs?: number): number | Promise<number>
  watchWrites(): WriteWatch
  /** SQL that is true where a column is one of the numbers of a JSON array, which is its parameter. */
  numbersIn(column: string): string
  /** SQL that deletes at most so many of the rows, and looks at no others than its condition makes it. */
  deletionOf(rows: SomeRows): string
  /** Prepares a statement that writes the words of an issue, by which searches find it. */
  prepareIssueText(): IssueTextStatement
  listTableKeys(): TableKey[]
  listColumns(table: string): string[]
  /** Tables with a foreign key to this table. */
  listReferringTables(table: string): string[]
  /** Frees memory of this connection, because another thread commits the events from now on. */
  yieldToCommitThread(): void
  /** Begins a transaction that need not be on disk when it is committed. */
  beginRelaxed(): void
  /** Makes transactions durable again. Call after one that was begun with `beginRelaxed`. */
  endRelaxed(): void
  /** Copies what the log holds into the database, as far as possible without waiting. */
  checkpoint(): void
  /** Makes sure that the log is on disk after an I/O error. Returns the reason if that failed. */
  rewriteLog(): StoreUnavailableError | undefined
  /** Returns at most this many free pages to the file system. */
  shrink(pageCount: number): void
}

/** The options of a prepared statement. */
export interface StatementSource {
  /** For statements of which few run in a batch. */
  connection: Preparer
  engine: Pick<StoreEngine, keyof SetPreparer | 'prepareIssueText' | 'numbersIn'>
}
