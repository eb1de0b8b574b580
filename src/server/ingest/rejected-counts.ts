import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import type { FilterSample, OutcomeCount } from '#server/store/ingest/records.ts'

/** Counts of rejected requests before they are written. */
export interface RejectedCounts {
  /** Counts a rejection, which has no other data to commit. */
  add(count: OutcomeCount): void
  /**
   * Counts a request that was rejected as a whole. A sample is created, and stored with the count, once per
   * `limits.rejectionSampleMs` for requests with the same project, reason and title.
   */
  reject(count: OutcomeCount, title: string, createSample: () => FilterSample): void
  /** Writes the counts so far, after a write in progress. If that fails, they are written the next time. */
  flush(): Promise<void>
}

/**
 * Sums up rejected requests and writes the sums once per `limits.rejectedCountsMs`: a flood of rejected
 * requests must not cause one commit each. A process that is killed loses the counts since the last write.
 */
export function createRejectedCounts({ committer, log }: { committer: Committer; log: Log }): RejectedCounts {
  let counts = new Map<string, OutcomeCount>()
  let samples: FilterSample[] = []
  const sampled = new BoundedMap<string, { at: number }>(limits.cachedRejections)
  let timer: NodeJS.Timeout | undefined
  let written = Promise.resolve()

  function add(count: OutcomeCount): void {
    const key = `${count.projectId}\0${count.category}\0${count.outcome}\0${count.reason}`
    const known = counts.get(key)
    counts.set(key, known === undefined ? count : { ...count, quantity: known.quantity + count.quantity })
    timer ??= setTimeout(() => void flush(), limits.rejectedCountsMs).unref()
  }

  function reject(count: OutcomeCount, title: string, createSample: () => FilterSample): void {
    add(count)
    if (samples.length >= limits.rejectionSamplesAtOnce) return
    const key = `${count.projectId}\0${count.reason}\0${title}`
    const last = sampled.getOrCreate(key, () => ({ at: Number.NEGATIVE_INFINITY }))
    // The absolute difference: a clock that was set back must not suppress samples.
    if (Math.abs(count.at - last.at) < limits.rejectionSampleMs) return
    last.at = count.at
    samples.push(createSample())
  }

  function flush(): Promise<void> {
    written = written.then(write)
    return written
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (counts.size === 0) return
    const work = { events: [], outcomes: [...counts.values()], deadLetters: [], samples }
    counts = new Map()
    samples = []
    try {
      await committer.commit(work)
    } catch (error) {
      log.warn({ err: error }, 'counts of rejected items could not be stored yet')
      for (const count of work.outcomes) add(count)
      samples = [...work.samples, ...samples].slice(0, limits.rejectionSamplesAtOnce)
    }
  }

  return { add, reject, flush }
}
