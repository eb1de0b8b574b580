import { exactCount } from '#numbers/number-text.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

/** A duration with at most three digits: `0.42 ms`, `12 ms`, `1.24 s`, `3.5 min`, `2 h`, `3650 d`. */
export function figureDuration(ms: number): string {
  return withUnit(ms, digits)
}

/** The same with trailing zeros, for values that are compared in a column: `12.0 ms`, `1.20 s`. */
export function columnDuration(ms: number): string {
  return withUnit(ms, threeDigits)
}

function withUnit(ms: number, textOf: (value: number) => string): string {
  // More is rounded to 1000 ms.
  if (ms < 999.5) return `${textOf(ms)} ms`
  if (ms < minuteMs) return `${textOf(ms / 1000)} s`
  if (ms < hourMs) return `${textOf(ms / minuteMs)} min`
  if (ms < 2 * dayMs) return `${textOf(ms / hourMs)} h`
  return `${textOf(ms / dayMs)} d`
}

/** The duration of a span, also for a column: `312 µs`, `1.20 ms`, `12.0 s`. */
export function spanDurationText(durationUs: number): string {
  return durationUs < 1_000 ? `${durationUs} µs` : columnDuration(durationUs / 1_000)
}

/** A rate per minute with three digits, also for a column: `0.02`, `4.30`, `12.0`, `1,240`. */
export function rateText(perMinute: number): string {
  if (perMinute === 0) return '0'
  if (perMinute < 0.01) return '<0.01'
  return perMinute >= 99.95 ? exactCount(perMinute) : threeDigits(perMinute)
}

/** A share in percent with two digits, also for a column: `0%`, `0.3%`, `1.0%`, `12%`. */
export function shareText(share: number): string {
  const percent = share * 100
  if (percent === 0) return '0%'
  if (percent < 0.1) return '<0.1%'
  return `${percent < 9.95 ? percent.toFixed(1) : Math.round(percent)}%`
}

/**
 * A change in percent with its sign, `+12%`; undefined without a change or anything to compare to. Only a
 * value of 0 is `−100%`.
 */
export function changeText(value: number, before: number): string | undefined {
  if (before <= 0) return undefined
  const percent = Math.round((value / before - 1) * 100)
  if (percent === 0) return undefined
  if (percent > 999) return `×${Math.round(value / before)}`
  if (percent > 0) return `+${percent}%`
  return `−${value > 0 ? Math.min(99, -percent) : 100}%`
}

function digits(value: number): string {
  return String(Number(threeDigits(value)))
}

/** A number with three digits, or with two decimals if it is small: `0.02`, `1.20`, `12.0`, `120`. */
function threeDigits(value: number): string {
  if (value >= 99.95) return String(Math.round(value))
  return value.toFixed(value >= 9.995 ? 1 : 2)
}
