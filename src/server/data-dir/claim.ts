import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '#server/errors.ts'
import { isBusyError } from '#server/store/errors.ts'

/**
 * A process's share in a data directory. It is a lock of SQLite's on an empty file: the system takes it back
 * however the process ends, so nothing of it can be left behind.
 */
export interface DataDirClaim {
  /** True when no other process has the directory open, asked once, when it was claimed. */
  readonly wasAlone: boolean
  /** Tries to become the first among those who have the directory open; true from then on, until released. */
  lead(): boolean
  /** May be called twice. */
  release(): void
}

const lockFile = 'culvert.lock'

/** How long an exclusive claim of another process is waited for; a start checks the file in less. */
const claimWaitMs = 5_000

/**
 * Claims a directory beside other processes. `whileAlone` is called first when there are none, and nobody
 * else gets in before it has returned. Raises an `OperatorError` while `claimDataDirAlone` holds it in
 * another process.
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
 * Claims a directory for this process alone; undefined when another one has it open. Call the result to let
 * it go.
 */
export function claimDataDirAlone(dataDir: string): (() => void) | undefined {
  const lock = openLock(dataDir, 0)
  if (tryBegin(lock, 'EXCLUSIVE')) return () => lock.close()
  lock.close()
  return undefined
}

function openLock(dataDir: string, timeout: number): DatabaseSync {
  return new DatabaseSync(join(dataDir, lockFile), { timeout })
}

/** On a connection of its own, so that the share is never let go meanwhile. */
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

/** IMMEDIATE is one process's beside any number that share; EXCLUSIVE is one process's alone. */
function tryBegin(lock: DatabaseSync, kind: 'IMMEDIATE' | 'EXCLUSIVE'): boolean {
  // Only the wait for a share may take time: whoever has one keeps it for as long as it runs.
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

/** A transaction that has read something holds SQLite's shared lock. */
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
  return `Another process has ${JSON.stringify(dataDir)} for itself: a backup is being restored there. Wait until it is done.`
}
