import type { FigureStep } from '#server/store/figures/records.ts'
import type { FigureSums } from '#server/store/figures/sums.ts'
import { dayMs, dayOf, hourMs, hourOf, minuteMs, stepOf } from '#time/time-steps.ts'
import { quantilesOf } from '#traces/histogram.ts'
import type { DurationFigures, PerformancePeriod } from './views.ts'

/** A time range divided into steps. */
export interface SteppedRange {
  step: FigureStep
  stepMs: number
  from: number
  to: number
}

/** The steps of a period, and of the period it is compared with. */
export interface PeriodRanges {
  current: SteppedRange
  before: SteppedRange
}

const dayCounts = { '7d': 7, '30d': 30 } as const

/**
 * The steps of a period up to now, and those a week before; for 30 days, those of the 30 days before. Minutes
 * are stored for only two days, so an hour is compared with the two hours around it.
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

/** Rates, percentiles and failures from the sums over a period in milliseconds. */
export function toDurationFigures(sums: FigureSums, lengthMs: number): DurationFigures {
  const [p50 = 0, p75 = 0, p95 = 0] = quantilesOf(sums.histogram, [0.5, 0.75, 0.95])
  return {
    count: sums.count,
    perMinute: (sums.weight * minuteMs) / Math.max(minuteMs, lengthMs),
    p50: p50 / 1000,
    p75: p75 / 1000,
    p95: p95 / 1000,
    failureShare: sums.count === 0 ? 0 : sums.failureCount / sums.count,
  }
}
