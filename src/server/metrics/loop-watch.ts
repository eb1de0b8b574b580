import { monitorEventLoopDelay } from 'node:perf_hooks'
import { minuteMs } from '#time/time-steps.ts'

/** How long the event loop kept others waiting, in milliseconds. */
export interface LoopDelay {
  p50: number
  p99: number
  max: number
}

/** Watches the event loop of this process. */
export interface LoopWatch {
  /** Of the last complete minute; of the first one as far as it has passed. */
  read(): LoopDelay
  stop(): void
}

const resolutionMs = 20

/** Begins to watch. Costs a timer each 20 ms. */
export function watchLoop(): LoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const readNow = (): LoopDelay => ({
    p50: toDelayMs(histogram.percentile(50)),
    p99: toDelayMs(histogram.percentile(99)),
    max: toDelayMs(histogram.max),
  })
  let lastMinute: LoopDelay | undefined
  const turn = setInterval(() => {
    lastMinute = readNow()
    histogram.reset()
  }, minuteMs).unref()
  return {
    read: () => lastMinute ?? readNow(),
    stop() {
      clearInterval(turn)
      histogram.disable()
    },
  }
}

/**
 * The histogram holds nanoseconds between its timer's turns, which are `resolutionMs` where nothing delays
 * them.
 */
function toDelayMs(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 1e6) - resolutionMs)
}
