import { threadCpuMs } from './cpu-time.ts'

/** Watches the event loop of this thread. */
export interface EventLoopWatch {
  /** The longest CPU time between two ticks, in milliseconds: other load of the machine does not count. */
  stop(): Promise<number>
}

/** Starts watching. */
export function watchEventLoop(): EventLoopWatch {
  let longestMs = 0
  let isWatching = true
  let last = threadCpuMs()
  const look = () => {
    const now = threadCpuMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (isWatching) setImmediate(look)
  }
  setImmediate(look)
  return {
    async stop(): Promise<number> {
      await new Promise((resolve) => void setImmediate(resolve))
      isWatching = false
      return longestMs
    },
  }
}
