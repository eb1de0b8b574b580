import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { isBusyError } from '#server/store/errors.ts'
import { createOwnFile } from './own-files.ts'

/**
 * A process's shared lock on a data directory: an SQLite lock on an empty file, which the system releases
 * however the process ends.
 */
export interface DataDirClaim {
  /** True if no other process had the directory open when it was claimed. */
  readonly wasAlone: boolean
  /** Tries to become the leader of the processes that share the directory. Once true, until release. */
  lead(): boolean
  /** Idempotent. */
  release(): void
}

const lockFile = 'culvert.lock'

/** Maximum wait for another process's exclusive claim. A start checks the file in less. */
const claimWaitMs = 5_000

/**
 * Claims a directory shared with other processes. If there are none, first runs `whileAlone` under an
 * exclusive lock. Throws an `OperatorError` while another process holds `claimDataDirAlone`.
 */
export function claimDataDir(dataDir: string, whileAlone: () => void): DataDirClaim {
  const lock = openLock(dataDir, claimWaitMs)
  try {
    const wasAlone = tryBegin(lock, 'EXCLUSIVE')
    if (wasAlone) {
      whileAlone()
      lock.exec('ROLLBACK')
    }
    if (!share(lock)) throw new OperatorError(restoringMessage(dataDir))
    const leadership = createLeadership(dataDir)
    return {
      wasAlone,
      lead: leadership.take,
      release() {
        leadership.release()
        if (lock.isOpen) lock.close()
      },
    }
  } catch (error) {
    lock.close()
    throw error
  }
}

/**
 * Claims a directory exclusively and returns the function that releases it. Undefined if another process has
 * the directory open. Throws an `OperatorError` if it cannot be locked.
 */
export function claimDataDirAlone(dataDir: string): (() => void) | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = openLock(dataDir, 0)
    if (tryBegin(lock, 'EXCLUSIVE')) return () => lock?.close()
    lock.close()
    return undefined
  } catch (error) {
    lock?.close()
    throw new OperatorError(
      `${JSON.stringify(join(dataDir, lockFile))} cannot be locked: ${errorMessage(error)}. Run the command as the user of the server, or as root.`,
    )
  }
}

function openLock(dataDir: string, timeout: number): DatabaseSync {
  const path = join(dataDir, lockFile)
  createOwnFile(path, 0o644)
  return new DatabaseSync(path, { timeout })
}

/** Uses its own connection, so that the shared lock is held all the time. */
function createLeadership(dataDir: string): { take: () => boolean; release: () => void } {
  let held: DatabaseSync | undefined
  return {
    take() {
      if (held) return true
      const lock = openLock(dataDir, 0)
      if (tryBegin(lock, 'IMMEDIATE')) held = lock
      else lock.close()
      return held !== undefined
    },
    release() {
      held?.close()
      held = undefined
    },
  }
}

/** IMMEDIATE is exclusive but coexists with shared locks; EXCLUSIVE coexists with none. */
function tryBegin(lock: DatabaseSync, kind: 'IMMEDIATE' | 'EXCLUSIVE'): boolean {
  // Only a shared lock is worth waiting for: its holders keep it as long as they run.
  const timeout = lock.prepare('PRAGMA busy_timeout').get()?.['timeout']
  try {
    lock.exec('PRAGMA busy_timeout = 0')
    lock.exec(`BEGIN ${kind}`)
    return true
  } catch (error) {
    if (isBusyError(error)) return false
    throw error
  } finally {
    lock.exec(`PRAGMA busy_timeout = ${Number(timeout)}`)
  }
}

/** A transaction that has read holds SQLite's shared lock. */
function share(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN')
    lock.prepare('SELECT count(*) FROM sqlite_schema').get()
    return true
  } catch (error) {
    if (isBusyError(error)) return false
    throw error
  }
}

function restoringMessage(dataDir: string): string {
  return `Another process has ${JSON.stringify(dataDir)} for itself: it is being copied, or a backup is being restored there. Wait until it is done.`
}
