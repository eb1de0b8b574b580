import * as v from 'valibot'

/** Response times in milliseconds; all zeros if there were no answers. */
export const latencySummary = v.object({
  count: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
  maxMs: v.number(),
})
export type LatencySummary = v.InferOutput<typeof latencySummary>

/** Upper bounds of the buckets of a histogram; a last bucket contains larger values. */
const latencyBoundsMs = [2, 4, 8, 16, 32, 64, 128, 256]

/** Counts latencies by bucket. */
export function toHistogram(latenciesMs: readonly number[]): number[] {
  const counts = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0)
  for (const ms of latenciesMs) {
    const found = latencyBoundsMs.findIndex((bound) => ms <= bound)
    const bucket = found === -1 ? latencyBoundsMs.length : found
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

/** `≤8 ms 40 %, ≤16 ms 60 %`; empty buckets are left out. */
export function toHistogramText(histogram: readonly number[]): string {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  const parts = histogram.flatMap((count, bucket) => {
    if (count === 0) return []
    const bound = latencyBoundsMs[bucket]
    const name = bound === undefined ? `>${latencyBoundsMs.at(-1)} ms` : `≤${bound} ms`
    return [`${name} ${((100 * count) / total).toFixed(1)} %`]
  })
  return parts.join(', ')
}

/** Sorts and sums up. */
export function summarize(latenciesMs: readonly number[]): LatencySummary {
  const sorted = latenciesMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

/** `p50 1.2, p99 3.4, max 5.6 ms` */
export function toText({ p50Ms, p99Ms, maxMs }: LatencySummary): string {
  return `p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)}, max ${maxMs.toFixed(0)} ms`
}
