import type { DatabaseSync } from 'node:sqlite'
import { limits } from '#server/limits.ts'
import type { StoreCondition } from '#server/store/condition.ts'
import { findUnavailability, StoreUnavailableError } from '#server/store/errors.ts'
import { retryWhileBusy } from './busy-wait.ts'

/** Begins the transactions of ingest, once the machine is fit for one. */
export interface WriteGate {
  /**
   * Begins a transaction, waiting without holding the event loop while another process writes and
   * `isWorthWaiting` says so. Resolves with the reason when none could be begun. The caller holds the write
   * lock.
   */
  begin(isWorthWaiting: () => boolean): Promise<StoreUnavailableError | undefined>
}

/** A gate before the writing connection. */
export function createWriteGate(sqlite: DatabaseSync, condition: StoreCondition): WriteGate {
  let mendAt = 0
  const isMendDue = () => {
    const now = performance.now()
    if (now < mendAt) return false
    mendAt = now + limits.storeMendMs
    return true
  }

  const findObstacle = () => {
    if (condition.isSpaceLow()) {
      // The log may hold tens of megabytes that the database has room for already.
      if (isMendDue()) rewriteLog(sqlite)
      return new StoreUnavailableError('LOW_SPACE')
    }
    if (condition.isLogSound) return undefined
    const obstacle = isMendDue() ? rewriteLog(sqlite) : new StoreUnavailableError('IOERR')
    if (obstacle === undefined) condition.noteSoundLog()
    return obstacle
  }

  return {
    async begin(isWorthWaiting) {
      try {
        const obstacle = findObstacle()
        if (obstacle === undefined) await retryWhileBusy(() => sqlite.exec('BEGIN IMMEDIATE'), isWorthWaiting)
        else condition.noteFailure(obstacle)
        return obstacle
      } catch (error) {
        const unavailable = findUnavailability(error)
        if (unavailable === undefined) throw error
        condition.noteFailure(unavailable)
        return unavailable
      }
    },
  }
}

/**
 * Writes everything the log holds into the database, with an fsync, and empties the log. Returns why that
 * failed.
 *
 * After a failed fsync the kernel takes pages for clean that are not on the disk, so another fsync proves
 * nothing (https://wiki.postgresql.org/wiki/Fsync_Errors). This writes every page of the log anew before
 * anything else is acknowledged. Without it a log that is read back after a restart could hold a hole, and
 * what follows the hole would be lost with the power.
 */
export function rewriteLog(sqlite: DatabaseSync): StoreUnavailableError | undefined {
  try {
    const row = sqlite.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    return row?.['busy'] === 0 ? undefined : new StoreUnavailableError('BUSY')
  } catch (error) {
    const unavailable = findUnavailability(error)
    if (unavailable === undefined) throw error
    return unavailable
  }
}
