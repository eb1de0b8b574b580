import type { Db } from '#server/store/schema/database.ts'

/** The result of the last check: true if reads are sent to the replica. */
export interface ReplicaState {
  isUsed: boolean
  /** Milliseconds by which it lags behind the primary. Absent if unknown. */
  lagMs?: number
  /** The reason why it is not used. */
  problem?: string
}

/** A replica of the database that answers reads. Commits become visible on it slightly later. */
export interface ReadReplica {
  /** Host and database, without the password. */
  readonly name: string
  /**
   * For reads that tolerate a short lag. The primary runs statements that the replica cannot run, and all
   * statements while the replica is not used.
   */
  readonly db: Db
  readonly state: ReplicaState
  /** Checks both servers now. */
  check(): Promise<ReplicaState>
  /** The position in the primary's write-ahead log after everything that has been committed. */
  readPosition(): Promise<number>
  /** True if the replica is in use and has replayed the log up to a position. */
  hasReplayed(position: number): Promise<boolean>
  /** Number of statements of `db` that the primary has run instead. */
  readonly fallbackCount: number
}
