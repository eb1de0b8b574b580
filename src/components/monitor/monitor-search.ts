import type { MonitorListSearch, MonitorPeriod } from '#server/console/monitors/monitors.search.ts'

/** The periods of timelines, in order. */
export const listedMonitorPeriods: readonly MonitorPeriod[] = ['24h', '7d', '30d', '90d']

/** The period if the URL has none. */
export const defaultMonitorPeriod: MonitorPeriod = '24h'

/** The labels of the periods. */
export const monitorPeriodNames: Record<MonitorPeriod, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

/**
 * Applies a change to the search, removes defaults and empty values from the URL, and returns to the first
 * page.
 */
export function changeMonitorSearch(
  search: MonitorListSearch,
  change: Omit<MonitorListSearch, 'page'>,
): MonitorListSearch {
  const { project, kind, period } = { ...search, ...change }
  return {
    ...(project !== undefined && project !== '' && { project }),
    ...(kind !== undefined && { kind }),
    ...(period !== undefined && period !== defaultMonitorPeriod && { period }),
  }
}
