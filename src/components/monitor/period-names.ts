import type { MonitorPeriod } from '#server/console/monitors/monitors.search.ts'

/** The periods of timelines. */
export const monitorPeriodNames = [
  { period: '24h', name: '24 hours' },
  { period: '7d', name: '7 days' },
  { period: '30d', name: '30 days' },
  { period: '90d', name: '90 days' },
] as const

/** A period in words; 24 hours is the default. */
export function periodName(period: MonitorPeriod = '24h'): string {
  return monitorPeriodNames.find((each) => each.period === period)?.name ?? period
}
