import { limits } from '#server/limits.ts'
import type { TraceRecord } from '#server/store/ingest/records.ts'
import { countValues, histogramBucketOf, type LogHistogram } from '#traces/histogram.ts'

/** A segment for the decision which traces to keep. */
export type ChosenSegment = Pick<
  TraceRecord,
  'traceId' | 'isRoot' | 'op' | 'name' | 'durationUs' | 'isError' | 'receivedAt'
>

/** Data about the segments from other tables. */
export interface ChoiceContext {
  /** Traces with an error event in any project. */
  errorTraces: ReadonlySet<string>
  /** Names of root spans that occur for the first time. */
  newNames: ReadonlySet<string>
  /** The durations of all transactions with a segment's name on its day; undefined if not counted. */
  durationsOf: (segment: ChosenSegment) => LogHistogram | undefined
}

/**
 * Chooses the traces that are kept for a reason: those with an error, and those with a root span of a new
 * name, or one that failed or was slow. Slow are the slowest of each name and day, at least one. By trace, so
 * that all services keep the same ones.
 */
export function chooseTraces(
  segments: readonly ChosenSegment[],
  { errorTraces, newNames, durationsOf }: ChoiceContext,
): Set<string> {
  const roots = segments.filter(({ isRoot }) => isRoot)
  const byName = [...Map.groupBy(roots, ({ op, name }) => `${op} ${name}`).values()]
  const failed = byName.flatMap((ofName) => firstOf(ofName, ({ isError }) => isError))
  const first = byName.flatMap((ofName) => firstOf(ofName, ({ name }) => newNames.has(name)))
  const slow = byName.flatMap((ofName) => {
    const [counted, others] = partition(ofName, (segment) => isSlow(segment, durationsOf(segment)))
    const slowest = others.toSorted((one, other) => other.durationUs - one.durationUs)
    return counted.concat(slowest.slice(0, Math.ceil(others.length * limits.traceSlowShare)))
  })
  return new Set(
    [...segments.filter(({ traceId }) => errorTraces.has(traceId)), ...first, ...failed, ...slow].map(
      ({ traceId }) => traceId,
    ),
  )
}

function firstOf(
  segments: readonly ChosenSegment[],
  isKept: (segment: ChosenSegment) => boolean,
): ChosenSegment[] {
  return segments.filter(isKept).slice(0, limits.traceKeptPerName)
}

/** Splits segments into slow ones and those for which that is unknown. */
function partition(
  segments: readonly ChosenSegment[],
  isSlowOne: (segment: ChosenSegment) => boolean | undefined,
): [slow: ChosenSegment[], unknown: ChosenSegment[]] {
  const slow: ChosenSegment[] = []
  const unknown: ChosenSegment[] = []
  for (const segment of segments) {
    const result = isSlowOne(segment)
    if (result === undefined) unknown.push(segment)
    else if (result) slow.push(segment)
  }
  return [slow, unknown]
}

/**
 * True for the slowest share of a day's durations, at least one. In the bucket in which this share ends,
 * traces are chosen by their id, which is random, as many as belong to the share.
 */
function isSlow(
  { durationUs, traceId }: ChosenSegment,
  durations: LogHistogram | undefined,
): boolean | undefined {
  const total = durations === undefined ? 0 : countValues(durations)
  if (durations === undefined || total === 0) return undefined
  const bucket = histogramBucketOf(durationUs)
  const room = Math.max(1, total * limits.traceSlowShare)
  let aboveCount = 0
  for (const [each, count] of durations) if (each > bucket) aboveCount += count
  const ownCount = durations.get(bucket) ?? 1
  return Number.parseInt(traceId.slice(0, 8), 16) / 2 ** 32 < (room - aboveCount) / ownCount
}
