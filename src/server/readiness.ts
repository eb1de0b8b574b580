import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from './errors.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import type { StoreCondition } from './store/condition.ts'
import { isDamage } from './store/engine/sqlite/damage.ts'

/** Why no requests should be sent here. */
export type ReadinessProblem = 'stopping' | 'disk_almost_full' | 'store_damaged' | 'store_not_writable'

/** Says whether this process should be sent requests. One per composition root. */
export interface Readiness {
  /** True from the moment the process was told to stop. */
  readonly isStopping: boolean
  /** From now on not ready; for good. */
  stop(): void
  /** Every problem there is now; none when ready. Writes to the store, at most once a second whoever asks. */
  findProblems(): Promise<ReadinessProblem[]>
  /** True when somebody asked lately, so that somebody will notice when the answer changes. */
  isWatched(): boolean
}

/** What readiness is made of. */
export interface ReadinessOptions {
  /** What the store knows of itself; see `StoreCondition`. */
  condition: Pick<StoreCondition, 'isSpaceLow' | 'findProblem'>
  /** Writes something durably; rejects when that is not possible. */
  probeStore: () => Promise<unknown>
  /** Unix milliseconds. */
  clock: () => number
  log: Pick<Log, 'error'>
}

/** Creates the readiness of a process that has just opened its store. */
export function createReadiness({ condition, probeStore, clock, log }: ReadinessOptions): Readiness {
  let isStopping = false
  let askedAt = Number.NEGATIVE_INFINITY
  let probe: { at: number; isWritable: Promise<boolean> } | undefined

  async function isWritable(): Promise<boolean> {
    try {
      // A write may wait for another process; who asks does not wait for that.
      return await Promise.race([
        probeStore().then(() => true),
        sleep(limits.readinessProbeMs, false, { ref: false }),
      ])
    } catch (thrown) {
      log.error({ problem: errorMessage(thrown) }, 'not ready: the store cannot be written')
      return false
    }
  }

  return {
    get isStopping() {
      return isStopping
    },
    stop() {
      isStopping = true
    },
    async findProblems() {
      const now = clock()
      askedAt = now
      // The store is closed at the end of a stop, and no longer of interest.
      if (isStopping) return ['stopping']
      if (condition.isSpaceLow()) return ['disk_almost_full']
      if (isDamage(condition.findProblem())) return ['store_damaged']
      // Anybody may ask; a commit for each question would be a way to keep the disk busy.
      if (probe === undefined || Math.abs(now - probe.at) >= limits.readinessMaxAgeMs)
        probe = { at: now, isWritable: isWritable() }
      return (await probe.isWritable) ? [] : ['store_not_writable']
    },
    isWatched: () => Math.abs(clock() - askedAt) < limits.readinessWatchedMs,
  }
}
