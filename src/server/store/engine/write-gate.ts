import type { StoreUnavailableError } from '#server/store/errors.ts'

/** Whose rows a transaction of ingest is to write. */
export interface ProjectsWanted {
  /** Those of the oldest work. */
  first: readonly number[]
  others: readonly number[]
  /** The oldest work has waited for too long: it is not left behind for others. */
  isFirstOverdue: boolean
  /** Also those with counter deltas. */
  withDeltas: boolean
  /** Whether these are worth a transaction of their own. Otherwise it waits for all that are wanted. */
  suffices: (projectIds: ReadonlySet<number>) => boolean
  /**
   * Announces reads of the transaction (`ReadStatement.expect`), whatever is remembered: they are in the
   * round trip that begins it.
   */
  expectReads?: () => void
}

/** The projects whose rows a transaction may write. */
export interface LockedProjects {
  projectIds: ReadonlySet<number>
  /** They are all that were wanted. */
  areAll: boolean
}

/** Begins the transactions of ingest, once the machine is fit for one. */
export interface WriteGate {
  /**
   * Begins a transaction. Waits without blocking the event loop while another process writes and
   * `isWorthWaiting` returns true. Resolves with the reason when no transaction could begin. The caller holds
   * the write lock. If several transactions may write at a time, begins one that writes only rows of the
   * wanted projects; without projects it excludes all other writers.
   */
  begin(
    isWorthWaiting: () => boolean,
    toWanted?: () => ProjectsWanted,
  ): Promise<StoreUnavailableError | undefined>
  /** The tables that the transaction may write; undefined if it may write all. */
  readonly locked: LockedProjects | undefined
}
