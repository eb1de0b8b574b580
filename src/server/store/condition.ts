import { dirname } from 'node:path'
import { limits } from '#server/limits.ts'
import { isDamage, markDamage } from './engine/sqlite/damage.ts'
import { isLowSpace, readFreeSpace, type FreeSpace } from './engine/sqlite/free-space.ts'
import type { StoreUnavailableError, UnavailableReason } from './errors.ts'

/** The logger of the store; a pino logger fits. */
export interface StoreLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The last known condition of the store: writable, or the reason why not. One per store. */
export interface StoreCondition {
  /**
   * The reason why the last write failed, until one succeeds; `LOW_SPACE` while the free disk space is below
   * its floor. Cheap: reads the free space at most every `limits.freeSpaceCheckMs`.
   */
  findProblem(): UnavailableReason | undefined
  /** True from the time that free space falls below its floor until it is well above it. */
  isSpaceLow(): boolean
  /** False after an I/O error, until `noteSoundLog`: the contents of the log may not be on disk. */
  readonly isLogSound: boolean
  /** Records that the whole log has been rewritten. */
  noteSoundLog(): void
  /** Records a failed write. Logs each change of the condition, not each failure. */
  noteFailure(error: StoreUnavailableError): void
  /** Records that a write could begin. */
  noteSuccess(): void
}

export interface StoreConditionOptions {
  /** The path of the database file; absent for a database on a server. */
  path?: string
  log?: StoreLog | undefined
}

/** Creates the condition of a store. */
export function createStoreCondition({ path, log }: StoreConditionOptions): StoreCondition {
  let problem: UnavailableReason | undefined
  let rejectedCount = 0
  let isLogSound = true
  let space: FreeSpace | undefined
  let isLow = false
  let lookAt = 0

  const isSpaceLow = () => {
    // The monotonic clock, because the system clock may be set back.
    const now = performance.now()
    if (path !== undefined && now >= lookAt) {
      lookAt = now + limits.freeSpaceCheckMs
      space = readFreeSpace(dirname(path))
      isLow = isLowSpace(space, isLow)
    }
    return isLow
  }

  return {
    isSpaceLow,
    get isLogSound() {
      return isLogSound
    },
    noteSoundLog() {
      isLogSound = true
    },
    findProblem() {
      if (isSpaceLow()) return 'LOW_SPACE'
      return problem === 'LOW_SPACE' ? undefined : problem
    },
    noteFailure(error) {
      rejectedCount += 1
      if (error.reason === 'IOERR') isLogSound = false
      if (problem === error.reason) return
      problem = error.reason
      if (path !== undefined && isDamage(problem)) markDamage(path, error.message)
      const facts = problem === 'LOW_SPACE' ? { ...space } : { err: error }
      log?.error({ path, reason: problem, ...facts }, adviceOf(problem))
    },
    noteSuccess() {
      // After damage, a commit that does not touch the damaged pages proves nothing.
      if (problem === undefined || isDamage(problem)) return
      log?.info({ path, reason: problem, rejectedCount }, 'the store can be written again')
      problem = undefined
      rejectedCount = 0
    },
  }
}

function adviceOf(reason: UnavailableReason): string {
  if (isDamage(reason)) {
    return (
      'the database file is damaged: restore a backup (culvert restore), or restart Culvert, which sets the file ' +
      'aside and continues with a new one; clients get 429 with Retry-After'
    )
  }
  if (reason === 'LOW_SPACE' || reason === 'FULL')
    return 'the disk is full: clients get 429 with Retry-After until space is freed'
  if (reason === 'BUSY') return 'another process keeps the database locked: clients get 429 with Retry-After'
  return 'the store cannot be written: clients get 429 with Retry-After'
}
