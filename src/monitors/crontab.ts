import { dayMs, dayOf, minuteMs } from '#time/time-steps.ts'

/** A crontab with five fields, as sets of numbers. */
export interface Crontab {
  minutes: ReadonlySet<number>
  hours: ReadonlySet<number>
  daysOfMonth: ReadonlySet<number>
  months: ReadonlySet<number>
  /** 0 is Sunday. */
  daysOfWeek: ReadonlySet<number>
  /** One of both days suffices if both are restricted; otherwise both must match, as in Vixie cron. */
  matchesEitherDay: boolean
  /** The job runs in each hour of the day, so it runs twice in a repeated hour. */
  isHourly: boolean
}

export type CrontabResult = { ok: true; crontab: Crontab } | { ok: false; problem: string }

interface FieldRange {
  name: string
  min: number
  max: number
  names?: readonly string[]
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const fieldRanges = {
  minutes: { name: 'minute', min: 0, max: 59 },
  hours: { name: 'hour', min: 0, max: 23 },
  daysOfMonth: { name: 'day of the month', min: 1, max: 31 },
  months: { name: 'month', min: 1, max: 12, names: monthNames },
  // 7 is also Sunday.
  daysOfWeek: { name: 'day of the week', min: 0, max: 7, names: dayNames },
} as const satisfies Record<string, FieldRange>

const nicknames = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
])

/** A list of every minute has 169 characters. */
const longestCrontab = 200

/**
 * Parses a crontab with five fields: numbers, names, ranges, steps, lists and nicknames. Rejects six fields,
 * because read as five they would silently have another meaning, and days that no month has.
 */
export function parseCrontab(text: string): CrontabResult {
  if (text.length > longestCrontab) return failed('The crontab is too long.')
  const trimmed = text.trim().toLowerCase()
  const fields = (nicknames.get(trimmed) ?? trimmed).split(/\s+/)
  const [minute, hour, day, month, weekday, ...more] = fields
  if (minute === undefined || hour === undefined || day === undefined || month === undefined) {
    return failed(countProblem(fields.length))
  }
  if (weekday === undefined || more.length > 0) return failed(countProblem(fields.length))
  const minutes = parseField(minute, fieldRanges.minutes)
  if (typeof minutes === 'string') return failed(minutes)
  const hours = parseField(hour, fieldRanges.hours)
  if (typeof hours === 'string') return failed(hours)
  const daysOfMonth = parseField(day, fieldRanges.daysOfMonth)
  if (typeof daysOfMonth === 'string') return failed(daysOfMonth)
  const months = parseField(month, fieldRanges.months)
  if (typeof months === 'string') return failed(months)
  const weekdays = parseField(weekday, fieldRanges.daysOfWeek)
  if (typeof weekdays === 'string') return failed(weekdays)
  const daysOfWeek = new Set([...weekdays].map((each) => each % 7))
  const matchesEitherDay = !day.startsWith('*') && !weekday.startsWith('*')
  const crontab = {
    minutes,
    hours,
    daysOfMonth,
    months,
    daysOfWeek,
    matchesEitherDay,
    isHourly: hours.size === 24,
  }
  return hasDay(crontab) ? { ok: true, crontab } : failed('The crontab matches no date.')
}

function failed(problem: string): CrontabResult {
  return { ok: false, problem }
}

function countProblem(count: number): string {
  return `A crontab has five fields: minute, hour, day of the month, month, day of the week. This one has ${count}.`
}

/** The numbers of a field, or its problem. */
function parseField(text: string, range: FieldRange): Set<number> | string {
  const numbers = new Set<number>()
  for (const part of text.split(',')) {
    const steps = parsePart(part, range)
    if (steps === undefined) return `The field for the ${range.name} is not valid: ${part.slice(0, 20)}`
    const { from, to, step } = steps
    for (let number = from; number <= to; number += step) numbers.add(number)
  }
  return numbers
}

const partPattern = /^(?:\*|([a-z]{3}|\d{1,2})(?:-([a-z]{3}|\d{1,2}))?)(?:\/(\d{1,2}))?$/

function parsePart(part: string, range: FieldRange): { from: number; to: number; step: number } | undefined {
  const match = partPattern.exec(part)
  if (match === null) return undefined
  const [, first, last, stepText] = match
  const step = stepText === undefined ? 1 : Number(stepText)
  if (step < 1) return undefined
  const from = first === undefined ? range.min : parseNumber(first, range)
  // A step without an end continues to the end of the range: 5/15.
  const end = first === undefined || (last === undefined && stepText !== undefined) ? range.max : from
  const to = last === undefined ? end : parseNumber(last, range)
  return from === undefined || to === undefined || to < from ? undefined : { from, to, step }
}

function parseNumber(text: string, { min, max, names = [] }: FieldRange): number | undefined {
  const index = names.indexOf(text)
  if (index !== -1) return index + min
  const number = Number(text)
  return Number.isInteger(number) && number >= min && number <= max ? number : undefined
}

/** February has 29 days in some years. */
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function hasDay({ daysOfMonth, months, matchesEitherDay }: Crontab): boolean {
  const firstDay = Math.min(...daysOfMonth)
  return matchesEitherDay || [...months].some((month) => firstDay <= (longestMonths[month - 1] ?? 0))
}

/** February 29 on a certain day of the week is at most 40 years away, around the year 2100. */
const searchedDays = 41 * 366

/**
 * The first matching local time after another one. Local times are the milliseconds that the same date and
 * time would have in UTC. Undefined only for a day that no year has.
 */
export function nextLocalTime(crontab: Crontab, afterLocal: number): number | undefined {
  const from = Math.floor(afterLocal / minuteMs + 1) * minuteMs
  let day = dayOf(from)
  for (let count = 0; count < searchedDays; count += 1, day += dayMs) {
    if (!matchesDay(crontab, day)) continue
    const minute = findMinute(crontab, Math.max(0, (from - day) / minuteMs))
    if (minute !== undefined) return day + minute * minuteMs
  }
  return undefined
}

function matchesDay({ months, daysOfMonth, daysOfWeek, matchesEitherDay }: Crontab, day: number): boolean {
  const date = new Date(day)
  if (!months.has(date.getUTCMonth() + 1)) return false
  const isDayOfMonth = daysOfMonth.has(date.getUTCDate())
  const isDayOfWeek = daysOfWeek.has(date.getUTCDay())
  return matchesEitherDay ? isDayOfMonth || isDayOfWeek : isDayOfMonth && isDayOfWeek
}

/** The first minute of a day from `first` on. */
function findMinute({ hours, minutes }: Crontab, first: number): number | undefined {
  const firstHour = Math.floor(first / 60)
  for (let hour = firstHour; hour < 24; hour += 1) {
    if (!hours.has(hour)) continue
    for (let minute = hour === firstHour ? first % 60 : 0; minute < 60; minute += 1) {
      if (minutes.has(minute)) return hour * 60 + minute
    }
  }
  return undefined
}
