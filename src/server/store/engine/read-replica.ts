import type { Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'

/** True if reads are sent to a replica, as of the last check. */
export interface ReplicaState {
  isUsed: boolean
  /** Milliseconds by which it is behind the primary. Absent where that is unknown. */
  lagMs?: number
  /** Why it is not used. */
  problem?: string
}

/** A replica of the database that answers reads. Its commits come a moment after those of the primary. */
export interface ReadReplica {
  /** Host and database, without the password. */
  readonly name: string
  /**
   * For reads that may be a moment old. A statement that the replica cannot run is run by the primary, and so
   * is every statement while the replica is not used.
   */
  readonly db: Kysely<Database>
  readonly state: ReplicaState
  /** Checks both servers now. */
  check(): Promise<ReplicaState>
  /** A position in the write-ahead log of the primary behind everything that has been committed. */
  readPosition(): Promise<number>
  /** True if the replica is used, and has replayed the log up to a position. */
  hasReplayed(position: number): Promise<boolean>
  /** Statements of `db` that the primary has run instead. */
  readonly fallbackCount: number
}
