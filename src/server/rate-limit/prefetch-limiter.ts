import { limits } from '#server/limits.ts'

/** Serves few prefetches at a time, so that a page that a user waits for does not wait for many others. */
export interface PrefetchLimiter {
  /** Resolves with the result of `serve`, which starts at the latest after `limits.prefetchWaitMs`. */
  run<T>(serve: () => Promise<T>): Promise<T>
}

/** The timers of a limiter. */
export interface PrefetchTiming {
  /** Resolves after that many milliseconds. */
  delay: (ms: number) => Promise<void>
  /** Resolves in the next tick of the event loop, after the requests that have arrived. */
  nextTick: () => Promise<void>
}

/** Creates the limiter of a server. */
export function createPrefetchLimiter({ delay, nextTick }: PrefetchTiming): PrefetchLimiter {
  const waiting = new Set<() => void>()
  let servedCount = 0

  async function acquire(): Promise<void> {
    if (servedCount < limits.prefetchesAtOnce) {
      servedCount += 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    let isPassed = false
    const pass = () => {
      isPassed = true
      resolve()
    }
    waiting.add(pass)
    await Promise.race([promise, delay(limits.prefetchWaitMs)])
    waiting.delete(pass)
    if (isPassed) await nextTick()
    else servedCount += 1
  }

  function release(): void {
    const [pass] = waiting
    if (pass === undefined) {
      servedCount -= 1
      return
    }
    waiting.delete(pass)
    pass()
  }

  return {
    async run(serve) {
      await acquire()
      try {
        return await serve()
      } finally {
        release()
      }
    },
  }
}
