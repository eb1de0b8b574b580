import * as v from 'valibot'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { isTimeZone } from '#time/time-zone.ts'
import { parseCrontab } from './crontab.ts'
import { monitorOwner } from './owner.ts'

/** The units of an interval, as SDKs send them. Months and years have their average length. */
export const intervalUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type IntervalUnit = (typeof intervalUnits)[number]

const unitMs: Readonly<Record<IntervalUnit, number>> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  year: 365 * dayMs,
}

/** Sentry's bounds of a monitor's settings. */
const scheduleBounds = {
  /** 28 days. */
  minutes: 40_320,
  thresholds: 720,
  interval: 10_000,
} as const

const crontab = v.pipe(
  v.string(),
  v.trim(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const parsed = parseCrontab(dataset.value)
    if (!parsed.ok) addIssue({ message: parsed.problem })
  }),
)

const timeZone = v.pipe(v.string(), v.trim(), v.check(isTimeZone, 'Unknown time zone.'))

/** The schedule of a job. */
export const monitorSchedule = v.variant('kind', [
  v.object({ kind: v.literal('crontab'), crontab, timeZone }),
  v.object({
    kind: v.literal('interval'),
    value: v.pipe(
      v.number('Enter a number.'),
      v.safeInteger('Enter a whole number.'),
      v.minValue(1, 'Enter 1 or more.'),
      v.maxValue(scheduleBounds.interval, `Enter ${scheduleBounds.interval} or less.`),
    ),
    unit: v.picklist(intervalUnits),
  }),
])

/** A crontab in a time zone, or an interval after the previous check-in. */
export type MonitorSchedule = v.InferOutput<typeof monitorSchedule>

const minutes = v.pipe(
  v.number('Enter a number.'),
  v.safeInteger('Enter a whole number.'),
  v.minValue(1, 'Enter 1 or more.'),
  v.maxValue(scheduleBounds.minutes, `Enter ${scheduleBounds.minutes} or less.`),
)
const threshold = v.pipe(
  v.number('Enter a number.'),
  v.safeInteger('Enter a whole number.'),
  v.minValue(1, 'Enter 1 or more.'),
  v.maxValue(scheduleBounds.thresholds, `Enter ${scheduleBounds.thresholds} or less.`),
)

/** The settings of a cron monitor. */
export const monitorSettings = v.object({
  schedule: monitorSchedule,
  /** The maximum lateness of a check-in, and how early it may be at most. */
  marginMinutes: minutes,
  /** A run that has not ended after this time has failed. */
  maxRuntimeMinutes: minutes,
  /** Consecutive failures that create an issue. */
  failureThreshold: threshold,
  /** Consecutive successes that resolve it. */
  recoveryThreshold: threshold,
  owner: v.optional(monitorOwner),
})

export type MonitorSettings = v.InferOutput<typeof monitorSettings>

/** Sentry's defaults. */
export const defaultMonitorSettings = {
  marginMinutes: 1,
  maxRuntimeMinutes: 30,
  failureThreshold: 1,
  recoveryThreshold: 1,
} as const

/** The length of an interval. */
export function intervalMs({ value, unit }: { value: number; unit: IntervalUnit }): number {
  return value * unitMs[unit]
}

/** A schedule as text: `0 4 * * * (Europe/Berlin)`, `every 2 hours`. */
export function formatSchedule(schedule: MonitorSchedule): string {
  if (schedule.kind === 'crontab') return `${schedule.crontab} (${schedule.timeZone})`
  const { value, unit } = schedule
  return value === 1 ? `every ${unit}` : `every ${value} ${unit}s`
}
