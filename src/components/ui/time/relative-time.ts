import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'

const steps = [
  { untilMs: hourMs, unitMs: minuteMs, unit: 'min' },
  { untilMs: 2 * dayMs, unitMs: hourMs, unit: 'h' },
  { untilMs: 60 * dayMs, unitMs: dayMs, unit: 'd' },
  { untilMs: 730 * dayMs, unitMs: 30 * dayMs, unit: 'mo' },
  { untilMs: Infinity, unitMs: 365 * dayMs, unit: 'y' },
] as const

/**
 * The age of an instant, in one short unit: `just now`, `5 min ago`, `3 h ago`, `in 2 d`. Under a minute it
 * never names seconds, because the clock of a page moves every 30 s only: `near` is its text then. Ages are
 * rounded down; the time until an instant is rounded to the nearest unit, so that a mute of two hours ends
 * `in 2 h` when it has just been set.
 */
export function relativeTime(at: number, now: number, near = 'just now'): string {
  const distanceMs = Math.abs(now - at)
  if (distanceMs < minuteMs) return near
  const isAhead = at > now
  for (const { untilMs, unitMs, unit } of steps) {
    const ms = isAhead ? distanceMs + unitMs / 2 : distanceMs
    if (ms < untilMs) {
      const text = `${Math.floor(ms / unitMs)}\u00a0${unit}`
      return isAhead ? `in ${text}` : `${text} ago`
    }
  }
  return 'at an unknown time'
}

/** The ISO 8601 form for `<time dateTime>`, or undefined for a number that no date can hold. */
export function isoInstant(at: number): string | undefined {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : undefined
}

/** A signed distance between two instants, as breadcrumbs show it: `−2.35 s`, `−3 min 5 s`. */
export function offsetText(distanceMs: number): string {
  if (!Number.isFinite(distanceMs)) return ''
  const sign = distanceMs < 0 ? '−' : '+'
  const ms = Math.abs(distanceMs)
  if (ms < minuteMs) return `${sign}${(ms / 1000).toFixed(2)}\u00a0s`
  if (ms < hourMs)
    return `${sign}${Math.floor(ms / minuteMs)}\u00a0min ${Math.floor((ms % minuteMs) / 1000)}\u00a0s`
  if (ms < 2 * dayMs)
    return `${sign}${Math.floor(ms / hourMs)}\u00a0h ${Math.floor((ms % hourMs) / minuteMs)}\u00a0min`
  return `${sign}${Math.floor(ms / dayMs)}\u00a0d`
}
