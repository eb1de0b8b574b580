import { limits } from '#server/limits.ts'

/** Serves few prefetches at a time, so that a page that a user waits for does not wait for many others. */
export interface PrefetchTurns {
  /** Resolves with the result of `serve`, which starts at the latest after `limits.prefetchWaitMs`. */
  run<T>(serve: () => Promise<T>): Promise<T>
}

/** Creates the queue of a server. `delay` resolves after that many milliseconds. */
export function createPrefetchTurns(delay: (ms: number) => Promise<void>): PrefetchTurns {
  const waiting = new Set<() => void>()
  let servedCount = 0

  async function waitForTurn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    await Promise.race([promise, delay(limits.prefetchWaitMs)])
    waiting.delete(resolve)
  }

  return {
    async run(serve) {
      if (servedCount >= limits.prefetchesAtOnce) await waitForTurn()
      servedCount += 1
      try {
        return await serve()
      } finally {
        servedCount -= 1
        const [next] = waiting
        if (next !== undefined) waiting.delete(next)
        next?.()
      }
    },
  }
}
