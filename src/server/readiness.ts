import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from './errors.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import type { StoreCondition } from './store/condition.ts'
import { isDamage } from './store/engine/sqlite/damage.ts'

/** Reasons why this process is not ready. */
export type ReadinessProblem = 'stopping' | 'disk_almost_full' | 'store_damaged' | 'store_not_writable'

/** The readiness of this process. One per composition root. */
export interface Readiness {
  /** True once a stop was requested. */
  readonly isStopping: boolean
  /** Makes the process permanently not ready. */
  stop(): void
  /** All current problems; empty when ready. Writes to the store at most once a second. */
  findProblems(): Promise<ReadinessProblem[]>
  /** True if a readiness check was requested recently, so that a load balancer will notice a change. */
  isWatched(): boolean
}

/** Dependencies of readiness. */
export interface ReadinessOptions {
  /** See `StoreCondition`. */
  condition: Pick<StoreCondition, 'isSpaceLow' | 'findProblem'>
  /** Writes durably; rejects if that fails. */
  probeStore: () => Promise<unknown>
  /** Unix milliseconds. */
  clock: () => number
  log: Pick<Log, 'error'>
}

/** Creates the readiness of a process with an open store. */
export function createReadiness({ condition, probeStore, clock, log }: ReadinessOptions): Readiness {
  let isStopping = false
  let probedAt = Number.NEGATIVE_INFINITY
  let probe: { at: number; isWritable: Promise<boolean> } | undefined

  async function isWritable(): Promise<boolean> {
    try {
      // A write may wait for another process; the readiness check must not.
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
      probedAt = now
      // The store is closed at the end of a stop.
      if (isStopping) return ['stopping']
      if (condition.isSpaceLow()) return ['disk_almost_full']
      if (isDamage(condition.findProblem())) return ['store_damaged']
      // The endpoint is public: without a cache, requests could keep the disk busy with commits.
      if (probe === undefined || Math.abs(now - probe.at) >= limits.readinessMaxAgeMs)
        probe = { at: now, isWritable: isWritable() }
      return (await probe.isWritable) ? [] : ['store_not_writable']
    },
    isWatched: () => Math.abs(clock() - probedAt) < limits.readinessWatchedMs,
  }
}
