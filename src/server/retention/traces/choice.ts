import { limits } from '#server/limits.ts'

/** A segment whose retention is decided. */
export interface ChosenSegment {
  /** 32 lower-case hex digits. */
  traceId: string
  isRoot: boolean
  /** Of its root span. */
  name: string
  durationUs: number
}

/** Data about the segments from other tables. */
export interface ChoiceContext {
  /** Traces with an error event in any project. */
  errorTraces: ReadonlySet<string>
  /** Names of root spans that had not been seen before. */
  newNames: ReadonlySet<string>
}

/**
 * Chooses the traces that are kept for a reason: those with an error, those with a root span of a new name,
 * and those with a slow one. Slow are the slowest of each name, one at least. By trace, so that all services
 * keep the same ones.
 */
export function chooseTraces(
  segments: readonly ChosenSegment[],
  { errorTraces, newNames }: ChoiceContext,
): Set<string> {
  const roots = segments.filter(({ isRoot }) => isRoot)
  const slow = [...Map.groupBy(roots, ({ name }) => name).values()].flatMap((ofName) =>
    ofName
      .toSorted((one, other) => other.durationUs - one.durationUs)
      .slice(0, Math.ceil(ofName.length * limits.traceSlowShare)),
  )
  return new Set(
    [
      ...segments.filter(({ traceId }) => errorTraces.has(traceId)),
      ...roots.filter(({ name }) => newNames.has(name)),
      ...slow,
    ].map(({ traceId }) => traceId),
  )
}
