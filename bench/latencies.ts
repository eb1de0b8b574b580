import * as v from 'valibot'

/** How long answers took, in milliseconds; zeros where there were none. */
export const latencySummary = v.object({
  count: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
  maxMs: v.number(),
})
export type LatencySummary = v.InferOutput<typeof latencySummary>

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
