/** The counts of one name, step by step. */
export interface BarSeries<Name extends string> {
  name: Name
  counts: readonly number[]
}

/** One name's part of a bar, in the units of the drawing; y grows downwards. */
export interface BarPart<Name extends string> {
  name: Name
  y: number
  height: number
}

/** One step of the period. */
export interface StackedBar<Name extends string> {
  total: number
  /** From the bottom up; what counted nothing is left out. */
  parts: BarPart<Name>[]
}

/**
 * One bar per step, scaled to the largest. A part that counted anything is never lower than one unit: three
 * filtered events must stay visible on top of a thousand accepted ones. The tallest part gives way, so that
 * no bar leaves the drawing.
 */
export function stackBars<Name extends string>(
  series: readonly BarSeries<Name>[],
  height: number,
): StackedBar<Name>[] {
  const totals = sumSteps(series)
  const largest = Math.max(0, ...totals)
  return totals.map((total, index) => {
    const counted = series.flatMap(({ name, counts }) => {
      const count = counts[index] ?? 0
      return count > 0 ? [{ name, height: Math.max(1, (count / largest) * height) }] : []
    })
    const sum = counted.reduce((sumSoFar, part) => sumSoFar + part.height, 0)
    const surplus = Math.max(0, sum - height)
    const [tallest] = counted.toSorted((one, other) => other.height - one.height)
    let y = height
    const parts = counted.map((part) => {
      const partHeight = round(part === tallest ? part.height - surplus : part.height)
      y = round(y - partHeight)
      return { name: part.name, y, height: partHeight }
    })
    return { total, parts }
  })
}

/** The total of each step. */
export function sumSteps(series: readonly { counts: readonly number[] }[]): number[] {
  const [first] = series
  if (first === undefined) return []
  return first.counts.map((_, index) => series.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0))
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
