import type { Store } from './database.ts'
import type { CommitResult, CommitWork } from './event-record.ts'

/** Makes what envelopes bring durable, many at a time. */
export interface Committer {
  /**
   * Writes the work, with whatever else has arrived, in one transaction; resolves once it is on disk and visible to
   * every read. Rejects with `StoreUnavailableError` when nothing was kept and a later attempt may succeed.
   */
  commit(work: CommitWork): Promise<CommitResult>
  /** Resolves once everything handed in so far has been answered. */
  drain(): Promise<void>
}

/** What the committer reports; pino's loggers fit. */
export interface CommitterLog {
  error(fields: Record<string, unknown>, message: string): void
}

export declare function createCommitter(store: Store, log?: CommitterLog): Committer
