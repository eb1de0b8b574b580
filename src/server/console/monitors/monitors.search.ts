import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'

/** The periods of a timeline, each of 48 steps or fewer. */
export const monitorPeriods = ['24h', '7d', '30d', '90d'] as const
export type MonitorPeriod = (typeof monitorPeriods)[number]

/** The list of monitors in the URL. Invalid values are ignored. */
export const monitorListSearch = v.object({
  project: orAbsent(searchText),
  kind: orAbsent(v.picklist(['cron', 'uptime'])),
  period: orAbsent(v.picklist(monitorPeriods)),
  page: orAbsent(v.pipe(v.number(), v.safeInteger(), v.minValue(2), v.maxValue(10_000))),
})
export type MonitorListSearch = Partial<v.InferOutput<typeof monitorListSearch>>

/** The URL of a monitor's page. */
export const monitorSearch = v.object({
  period: orAbsent(v.picklist(monitorPeriods)),
  environment: orAbsent(searchText),
})
export type MonitorSearch = Partial<v.InferOutput<typeof monitorSearch>>
