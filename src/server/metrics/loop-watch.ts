import { monitorEventLoopDelay } from 'node:perf_hooks'
import { minuteMs } from '#time/time-steps.ts'

/** Delays of the event loop in milliseconds. */
export interface LoopDelay {
  p50: number
  p99: number
  max: number
}

/** Measures the event loop of this process. */
export interface LoopWatch {
  /** Of the last complete minute, or before that of the current one. */
  read(): LoopDelay
  stop(): void
}

const resolutionMs = 20

/** Starts measuring. Costs a timer every 20 ms. */
export function watchLoop(): LoopWatch {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const readNow = (): LoopDelay => ({
    p50: toDelayMs(histogram.percentile(50)),
    p99: toDelayMs(histogram.percentile(99)),
    max: toDelayMs(histogram.max),
  })
  let lastMinute: LoopDelay | undefined
  const timer = setInterval(() => {
    lastMinute = readNow()
    histogram.reset()
  }, minuteMs).unref()
  return {
    read: () => lastMinute ?? readNow(),
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/** The histogram contains nanoseconds between two timer ticks, which are `resolutionMs` without a delay. */
function toDelayMs(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 1e6) - resolutionMs)
}
