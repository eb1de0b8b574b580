import { countPerStep, dayMs, hourMs, stepsUntil, type StepSize } from '#time/time-steps.ts'
import type { IssueHistograms, TrendPeriod, TrendSeries } from './records.ts'

const trendSteps: Record<TrendPeriod, StepSize> = {
  '24h': { stepMs: hourMs, stepCount: 24 },
  '14d': { stepMs: 6 * hourMs, stepCount: 56 },
  '90d': { stepMs: dayMs, stepCount: 90 },
}

/** The start of the longest trend. */
export function firstOfTrend(now: number): number {
  return stepsUntil(now, trendSteps['90d']).since
}

/**
 * Converts counted hours, pairs of hour and event count, to all trends. Each ends with the current hour, six
 * hours or day.
 */
export function toTrend(
  hours: readonly (readonly [hour: number, eventCount: number])[],
  now: number,
): IssueHistograms {
  return {
    '24h': spread(hours, '24h', now),
    '14d': spread(hours, '14d', now),
    '90d': spread(hours, '90d', now),
  }
}

function spread(
  hours: readonly (readonly [number, number])[],
  period: TrendPeriod,
  now: number,
): TrendSeries {
  const steps = stepsUntil(now, trendSteps[period])
  return { since: steps.since, stepMs: steps.stepMs, counts: countPerStep(hours, steps) }
}
