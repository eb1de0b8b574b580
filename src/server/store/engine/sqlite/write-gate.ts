import type { DatabaseSync } from 'node:sqlite'
import { limits } from '#server/limits.ts'
import type { StoreCondition } from '#server/store/condition.ts'
import type { WriteGate } from '#server/store/engine/write-gate.ts'
import { findUnavailability, StoreUnavailableError } from '#server/store/errors.ts'
import { retryWhileBusy } from './busy-wait.ts'
import type { Checkpoints } from './checkpoints.ts'

interface GateParts {
  condition: StoreCondition
  checkpoints: Checkpoints
}

/** A gate before the writing connection. */
export function createWriteGate(sqlite: DatabaseSync, { condition, checkpoints }: GateParts): WriteGate {
  let mendAt = 0
  const isMendDue = () => {
    const now = performance.now()
    if (now < mendAt) return false
    mendAt = now + limits.storeMendMs
    return true
  }

  const findObstacle = () => {
    if (condition.isSpaceLow()) {
      // The log may contain tens of megabytes for which the database already has space.
      if (isMendDue()) rewriteLog(sqlite)
      return new StoreUnavailableError('LOW_SPACE')
    }
    if (condition.isLogSound) return undefined
    const obstacle = isMendDue() ? rewriteLog(sqlite) : new StoreUnavailableError('IOERR')
    if (obstacle === undefined) condition.noteSoundLog()
    return obstacle
  }

  return {
    locked: undefined,
    async begin(isWorthWaiting) {
      try {
        let obstacle = findObstacle()
        if (obstacle === undefined) {
          await checkpoints.beforeTransaction()
          obstacle = findObstacle()
        }
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
    fold: (run) => run(),
  }
}

/**
 * Checkpoints the whole log into the database with an fsync and truncates the log. Returns the reason if that
 * failed.
 *
 * After a failed fsync the kernel marks pages as clean that are not on disk, so another fsync proves nothing
 * (https://wiki.postgresql.org/wiki/Fsync_Errors). This rewrites every page of the log before anything else
 * is acknowledged. Otherwise a log that is read after a restart could have a gap, and everything after the
 * gap would be lost on a power failure.
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
