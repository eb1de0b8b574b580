import type { Committer } from '#server/store/ingest/committer.ts'
import type { EventSource } from './event-source.ts'

/** The measurements during ingest. */
export interface LoadResult {
  eventCount: number
  seconds: number
  /** Latency of each event, from its scheduled time until it was on disk. */
  commitMs: number[]
}

export interface LoadOptions {
  committer: Committer
  nextEvent: EventSource
  eventsPerSecond: number
}

/** Backlog at which the measurement is stopped: beyond it the figures would describe the queue. */
const backlogEvents = 50_000

/**
 * Commits events at a steady rate, regardless of earlier ones: latency includes the time for which a blocked
 * process delays them.
 */
export function startLoad({ committer, nextEvent, eventsPerSecond }: LoadOptions) {
  const commitMs: number[] = []
  const pending = new Set<Promise<unknown>>()
  const startedAt = performance.now()
  let handedOver = 0
  let failure: Error | undefined

  const handOver = () => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * eventsPerSecond)
    for (; handedOver < due; handedOver += 1) {
      const dueAt = startedAt + (handedOver / eventsPerSecond) * 1000
      const commit = committer
        .commit({ events: [nextEvent(Date.now())], outcomes: [], deadLetters: [] })
        .then(() => commitMs.push(performance.now() - dueAt))
        .catch((error: unknown) => {
          failure ??= new Error('an event was not taken', { cause: error })
        })
        .finally(() => pending.delete(commit))
      pending.add(commit)
    }
  }
  const timer = setInterval(() => {
    if (pending.size < backlogEvents) handOver()
    else failure ??= new Error('this machine does not take so many events a second')
  }, 2)

  return {
    async stop(): Promise<LoadResult> {
      clearInterval(timer)
      await Promise.all(pending)
      if (failure !== undefined) throw failure
      return { eventCount: handedOver, seconds: (performance.now() - startedAt) / 1000, commitMs }
    },
  }
}
