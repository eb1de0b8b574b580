import type { FigureSums } from '#server/store/figures/figure-sums.ts'
import type { FigureStep } from '#server/store/figures/records.ts'
import { dayMs, dayOf, hourMs, hourOf, minuteMs, stepOf } from '#time/time-steps.ts'
import { quantileOf } from '#traces/histogram.ts'
import type { DurationFigures, PerformancePeriod } from './views.ts'

/** A range of time in steps. */
export interface SteppedRange {
  step: FigureStep
  stepMs: number
  from: number
  to: number
}

/** The steps of a period, and of the one it is compared to. */
export interface PeriodRanges {
  current: SteppedRange
  before: SteppedRange
}

const dayCounts = { '7d': 7, '30d': 30 } as const

/**
 * The steps of a period up to now, and those of the same length a week before; of 30 days, those before.
 * Minutes are kept for two days only, so an hour is compared with the two hours around it.
 */
export function toRanges(period: PerformancePeriod, now: number): PeriodRanges {
  if (period === '1h') {
    const to = stepOf(now, minuteMs) + minuteMs
    const hour = hourOf(now)
    return {
      current: { step: 'minute', stepMs: minuteMs, from: to - 60 * minuteMs, to },
      before: {
        step: 'hour',
        stepMs: hourMs,
        from: hour - hourMs - 7 * dayMs,
        to: hour + hourMs - 7 * dayMs,
      },
    }
  }
  if (period === '24h') {
    const to = hourOf(now) + hourMs
    const current = { step: 'hour', stepMs: hourMs, from: to - 24 * hourMs, to } as const
    return { current, before: { ...current, from: current.from - 7 * dayMs, to: to - 7 * dayMs } }
  }
  const lengthMs = dayCounts[period] * dayMs
  const to = dayOf(now) + dayMs
  const current = { step: 'day', stepMs: dayMs, from: to - lengthMs, to } as const
  return { current, before: { ...current, from: current.from - lengthMs, to: current.from } }
}

/** Rates, percentiles and failures of sums over so many milliseconds. */
export function toDurationFigures(sums: FigureSums, lengthMs: number): DurationFigures {
  const at = (quantile: number) => (quantileOf(sums.histogram, quantile) ?? 0) / 1000
  return {
    count: sums.count,
    perMinute: (sums.weight * minuteMs) / Math.max(minuteMs, lengthMs),
    p50: at(0.5),
    p75: at(0.75),
    p95: at(0.95),
    failureShare: sums.count === 0 ? 0 : sums.failureCount / sums.count,
  }
}
