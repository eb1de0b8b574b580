import { figureDuration } from '#components/performance/figure-text.ts'

/** The rows that a scrolled list shows, as a range of positions, with some before and after. */
export function findShownRange(scroll: { top: number; height: number; rowHeight: number; count: number }): {
  from: number
  to: number
} {
  const extra = 10
  const from = Math.max(0, Math.floor(scroll.top / scroll.rowHeight) - extra)
  const to = Math.min(scroll.count, Math.ceil((scroll.top + scroll.height) / scroll.rowHeight) + extra)
  return { from: Math.min(from, to), to }
}

/** A duration with three digits: `312 µs`, `1.24 ms`, `2.5 s`, `4.2 min`, `3 h`, `3650 d`. */
export function spanDurationText(durationUs: number): string {
  if (durationUs < 1_000) return `${durationUs} µs`
  if (durationUs < 1_000_000) return `${threeDigits(durationUs / 1_000)} ms`
  if (durationUs < 120_000_000) return `${threeDigits(durationUs / 1_000_000)} s`
  return figureDuration(durationUs / 1_000)
}

function threeDigits(value: number): string {
  return String(Number(value >= 100 ? value.toFixed(0) : value.toPrecision(3)))
}
