import { exactCount } from '#numbers/number-text.ts'

/** The position of one bar, in the units of the drawing; y grows downwards. */
export interface Bar {
  x: number
  y: number
  width: number
  height: number
}

/** The box that bars are drawn into. */
export interface BarsBox {
  height: number
  barWidth: number
  gap: number
}

/** The width of a drawing with this many bars. */
export function barsWidth(barCount: number, box: BarsBox): number {
  return Math.max(0, barCount * (box.barWidth + box.gap) - box.gap)
}

/**
 * One bar per count, scaled to the largest one. A count above zero is never lower than one unit: a single
 * event in an hour must stay visible next to a flood.
 */
export function layOutBars(counts: readonly number[], box: BarsBox): Bar[] {
  const largest = Math.max(0, ...counts)
  return counts.map((count, index) => {
    const share = largest > 0 && count > 0 ? count / largest : 0
    const height = share === 0 ? 0 : Math.max(1, Math.round(share * box.height))
    return { x: index * (box.barWidth + box.gap), y: box.height - height, width: box.barWidth, height }
  })
}

/** All bars as the data of one SVG path: a tenth of the bytes of a rectangle each. */
export function barsPath(bars: readonly Bar[]): string {
  return bars
    .filter((bar) => bar.height > 0)
    .map((bar) => `M${bar.x} ${bar.y}h${bar.width}v${bar.height}h-${bar.width}z`)
    .join('')
}

/** The text of the bars; the last count is the running hour or day. */
export function barsSummary(counts: readonly number[], unit: BarUnit = 'hour'): string {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const span = `${counts.length} ${unit}s`
  if (total === 0) return `none in ${span}`
  const largest = Math.max(...counts)
  const hoursAgo = counts.length - 1 - counts.lastIndexOf(largest)
  return `${exactCount(total)} in ${span}, at most ${exactCount(largest)} in ${unit === 'hour' ? 'an hour' : 'a day'}, ${stepName(hoursAgo, unit)}`
}

/** The time step of one bar. */
export type BarUnit = 'hour' | 'day'

/** A step by its distance from the running one. */
function stepName(ago: number, unit: BarUnit): string {
  if (ago === 0) return unit === 'hour' ? 'this hour' : 'today'
  return ago === 1 ? `1 ${unit} ago` : `${ago} ${unit}s ago`
}
