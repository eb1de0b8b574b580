import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import type { Committer } from '#server/store/committer.ts'
import type { OutcomeCount } from '#server/store/event-record.ts'

/** Counts of what was refused as a whole, on their way to the store. */
export interface RefusedCounts {
  /** Counts something that the same commit brings nothing else of. */
  add(count: OutcomeCount): void
  /**
   * Writes what is counted so far, after what is being written already; counts that could not be written are kept for
   * the next time.
   */
  flush(): Promise<void>
}

/**
 * Sums up what was refused and writes it once in `limits.refusedCountsMs`: a flood that is turned away must cost no
 * commit for each request. A process that is killed loses what it counted since.
 */
export function createRefusedCounts({ committer, log }: { committer: Committer; log: Log }): RefusedCounts {
  let counts = new Map<string, OutcomeCount>()
  let timer: NodeJS.Timeout | undefined
  let written = Promise.resolve()

  function add(count: OutcomeCount): void {
    const key = `${count.projectId}\0${count.category}\0${count.outcome}\0${count.reason}`
    const known = counts.get(key)
    counts.set(key, known === undefined ? count : { ...count, quantity: known.quantity + count.quantity })
    timer ??= setTimeout(() => void flush(), limits.refusedCountsMs).unref()
  }

  function flush(): Promise<void> {
    written = written.then(write)
    return written
  }

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (counts.size === 0) return
    const outcomes = [...counts.values()]
    counts = new Map()
    try {
      await committer.commit({ events: [], outcomes, deadLetters: [] })
    } catch (error) {
      log.warn({ err: error }, 'counts of refused items wait for the store')
      for (const count of outcomes) add(count)
    }
  }

  return { add, flush }
}
