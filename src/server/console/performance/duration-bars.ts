import { startOfBucket, type LogHistogram } from '#traces/histogram.ts'
import type { DurationBar } from './views.ts'

/** The bars of a histogram: about as many as fit into a chart, each of equal width on a logarithmic scale. */
export function toDurationBars(histogram: LogHistogram): DurationBar[] {
  const buckets = [...histogram.keys()]
  const [first, last] = [Math.min(...buckets), Math.max(...buckets)]
  const width = Math.max(1, Math.ceil((last - first + 1) / 40))
  const bars = Array.from({ length: Math.ceil((last - first + 1) / width) }, (_, index): DurationBar => {
    const start = first + index * width
    return { from: startOfBucket(start) / 1000, to: startOfBucket(start + width) / 1000, count: 0 }
  })
  for (const [bucket, count] of histogram) {
    const bar = bars[Math.floor((bucket - first) / width)]
    if (bar !== undefined) bar.count += count
  }
  return bars
}
