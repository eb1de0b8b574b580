import { figureDuration } from '#components/performance/figure-text.ts'
import type { TraceRow } from '#server/console/traces/views.ts'

/** From this many rows on, a waterfall is collapsed at first where nothing seems to matter. */
const collapsedFromCount = 200
/** A part of the tree that takes less than this share of the trace does not matter, unless it failed. */
const smallShare = 0.05

/**
 * The rows that are collapsed at first: none in a small trace; in a large one those below the first level
 * that are short and without errors.
 */
export function initiallyCollapsed(rows: readonly TraceRow[], durationUs: number): Set<number> {
  const collapsed = new Set<number>()
  if (rows.length <= collapsedFromCount) return collapsed
  const withErrors = listRowsWithErrors(rows)
  for (const [at, row] of rows.entries()) {
    const isSmall = row.durationUs < durationUs * smallShare
    if (row.depth > 0 && row.descendantCount > 0 && isSmall && !withErrors.has(at)) collapsed.add(at)
  }
  return collapsed
}

/** Rows with an error at them or below them. */
function listRowsWithErrors(rows: readonly TraceRow[]): Set<number> {
  const found = new Set<number>()
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at]
    if (row === undefined) continue
    if (row.isError || row.errorsAt !== undefined || found.has(at)) {
      found.add(at)
      if (row.parentAt !== undefined) found.add(row.parentAt)
    }
  }
  return found
}

/** The positions of the rows that are not below a collapsed one. */
export function listVisible(rows: readonly TraceRow[], collapsed: ReadonlySet<number>): number[] {
  const visible: number[] = []
  for (let at = 0; at < rows.length; at += 1) {
    visible.push(at)
    if (collapsed.has(at)) at += rows[at]?.descendantCount ?? 0
  }
  return visible
}

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
