import type { StoreUnavailableError } from '#server/store/errors.ts'

/** The projects whose rows a transaction of ingest writes. */
export interface ProjectsWanted {
  /** The projects of the oldest entry. */
  first: readonly number[]
  others: readonly number[]
  /** True if the oldest entry has waited for too long to be left for a later transaction. */
  isFirstOverdue: boolean
  /** True if projects with counter deltas are also wanted. */
  withDeltas: boolean
  /** True if the transaction may not share the projects with others that append to them. */
  needsExclusive?: boolean
  /** True if these projects are worth a separate transaction. Otherwise the gate waits for all. */
  suffices: (projectIds: ReadonlySet<number>) => boolean
  /**
   * Announces reads of the transaction (`ReadStatement.expect`), cached or not: the round trip that begins
   * the transaction does them.
   */
  expectReads?: () => void
}

/** The projects whose rows a transaction may write. */
export interface LockedProjects {
  projectIds: ReadonlySet<number>
  /**
   * The projects whose counters it may fold. All of them, unless it shares the projects with other
   * transactions: these append rows at the same time, and one of them may fold.
   */
  foldableIds: ReadonlySet<number>
  /** True if it shares the projects: a write that does more than append rows throws a `SharedWriteError`. */
  isShared: boolean
  /** True if all wanted projects are foldable. */
  areAll: boolean
}

/** A transaction that shares its projects has to be repeated with `ProjectsWanted.needsExclusive`. */
export class SharedWriteError extends Error {
  override readonly name = 'SharedWriteError'
}

/** Begins the transactions of ingest, once the machine can run one. */
export interface WriteGate {
  /**
   * Begins a transaction. Waits without blocking the event loop while another process writes and
   * `isWorthWaiting` returns true. Resolves with the reason if no transaction could begin. The caller holds
   * the write lock. If several transactions may write at the same time, begins one that writes only rows of
   * the wanted projects; without projects it excludes all other writers.
   */
  begin(
    isWorthWaiting: () => boolean,
    toWanted?: () => ProjectsWanted,
  ): Promise<StoreUnavailableError | undefined>
  /** The projects that the transaction may write; undefined if it may write all. */
  readonly locked: LockedProjects | undefined
  /** Runs a fold of counters of the foldable projects, which does not only append rows. */
  fold<Result>(run: () => Result): Result
}
