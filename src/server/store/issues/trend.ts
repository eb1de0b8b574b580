import type { IssueTrend, TrendPeriod, TrendSeries } from './views.ts'

const hourMs = 3_600_000

const trendSteps: Record<TrendPeriod, { stepMs: number; count: number }> = {
  '24h': { stepMs: hourMs, count: 24 },
  '14d': { stepMs: 6 * hourMs, count: 56 },
  '90d': { stepMs: 24 * hourMs, count: 90 },
}

/** The first instant that the longest trend shows. */
export function firstOfTrend(now: number): number {
  return firstStep('90d', now)
}

/**
 * Counted hours, in pairs of the hour and its events, as all trends that end with the running hour, six hours
 * or day.
 */
export function toTrend(
  hours: readonly (readonly [hour: number, eventCount: number])[],
  now: number,
): IssueTrend {
  return {
    '24h': spread(hours, '24h', now),
    '14d': spread(hours, '14d', now),
    '90d': spread(hours, '90d', now),
  }
}

function firstStep(period: TrendPeriod, now: number): number {
  const { stepMs, count } = trendSteps[period]
  return now - (now % stepMs) - (count - 1) * stepMs
}

function spread(
  hours: readonly (readonly [number, number])[],
  period: TrendPeriod,
  now: number,
): TrendSeries {
  const { stepMs, count } = trendSteps[period]
  const since = firstStep(period, now)
  const counts = Array.from({ length: count }, () => 0)
  for (const [hour, eventCount] of hours) {
    const index = Math.floor((hour - since) / stepMs)
    const counted = counts[index]
    if (counted !== undefined) counts[index] = counted + eventCount
  }
  return { since, stepMs, counts }
}
