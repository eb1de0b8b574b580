import { type ProjectsWanted, SharedWriteError } from '#server/store/engine/write-gate.ts'
import { isAppend, isCount } from './cached-tables.ts'
import type { LockMode, NumberedLocks } from './project-locks.ts'
import type { StatementShape } from './statements/shape.ts'

/** Milliseconds after which a transaction tries again whether no other process writes its projects. */
const contestedMs = 5_000

/** How a transaction of ingest takes the locks of its projects. */
export interface LockChoice {
  mode: LockMode
  /** True if another process has recently held the locks. */
  isContested: boolean
}

/**
 * Decides which transactions of ingest share their projects with those of other processes: if these write the
 * same projects, and the last transaction of this connection only appended rows. One that does more after all
 * is repeated.
 */
export class ProjectSharing {
  private readonly now: () => number
  private contestedUntil = 0
  private locks: Pick<NumberedLocks, 'isShared' | 'releasesEarly'> | undefined
  private isFolding = false
  /** True if the running transaction of ingest, or the last one, only appends rows, except its folds. */
  private onlyAppends = false

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.now = now
  }

  choose({ needsExclusive = false }: Pick<ProjectsWanted, 'needsExclusive'>): LockChoice {
    const isContested = this.now() < this.contestedUntil
    return { mode: isContested && this.onlyAppends && !needsExclusive ? 'shared' : 'exclusive', isContested }
  }

  /** Call after a transaction of ingest has begun. */
  hasBegun(locks: Pick<NumberedLocks, 'isShared' | 'releasesEarly'>, { isContested }: LockChoice): void {
    // It has waited for another process.
    if (locks.releasesEarly && !isContested) this.contestedUntil = this.now() + contestedMs
    this.locks = locks
    this.onlyAppends = true
  }

  /** Call after any transaction has ended. */
  hasEnded(): void {
    this.locks = undefined
  }

  /** True if the running transaction's COMMIT does not wait for the disk. */
  get releasesEarly(): boolean {
    return this.locks?.releasesEarly === true
  }

  /**
   * Call before a write; `shape` is missing for a statement that is not prepared. Throws a `SharedWriteError`
   * if the transaction may not do it. A fold may write everything but the counts of a project: it would hold
   * the locks of their rows for longer than a batch, and take them in another order.
   */
  noteWrite(shape?: StatementShape): void {
    if (this.locks === undefined) return
    const isShareable = this.isFolding
      ? shape === undefined || !isCount(shape)
      : shape !== undefined && isAppend(shape)
    if (isShareable) return
    if (!this.isFolding) this.onlyAppends = false
    if (this.locks.isShared) throw new SharedWriteError()
  }

  /** See `WriteGate`. */
  fold<Result>(run: () => Result): Result {
    this.isFolding = true
    try {
      return run()
    } finally {
      this.isFolding = false
    }
  }
}
