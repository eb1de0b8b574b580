import type { OutcomeKind } from '#protocol/outcome.ts'
import type { OutcomeSeries } from '#server/store/views.ts'

/** One outcome's part of a bar, in the units of the drawing; y grows downwards. */
export interface BarPart {
  outcome: OutcomeKind
  y: number
  height: number
}

/** One step of the period. */
export interface OutcomeBar {
  total: number
  /** From the bottom up; outcomes that counted nothing are left out. */
  parts: BarPart[]
}

/**
 * One bar per step, scaled to the largest. A part that counted anything is never lower than one unit: three filtered
 * events must stay visible on top of a thousand accepted ones. The tallest part gives way, so that no bar leaves the drawing.
 */
export function stackOutcomes(series: readonly OutcomeSeries[], height: number): OutcomeBar[] {
  const totals = stepTotals(series)
  const largest = Math.max(0, ...totals)
  return totals.map((total, index) => {
    const counted = series.flatMap(({ outcome, counts }) => {
      const count = counts[index] ?? 0
      return count > 0 ? [{ outcome, height: Math.max(1, (count / largest) * height) }] : []
    })
    const sum = counted.reduce((sumSoFar, part) => sumSoFar + part.height, 0)
    const surplus = Math.max(0, sum - height)
    const [tallest] = counted.toSorted((one, other) => other.height - one.height)
    let y = height
    const parts = counted.map((part) => {
      const partHeight = round(part === tallest ? part.height - surplus : part.height)
      y = round(y - partHeight)
      return { outcome: part.outcome, y, height: partHeight }
    })
    return { total, parts }
  })
}

/** What all outcomes counted together in each step. */
export function stepTotals(series: readonly OutcomeSeries[]): number[] {
  const [first] = series
  if (first === undefined) return []
  return first.counts.map((_, index) => series.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
