import { limits } from '#server/limits.ts'

/** Issue ids are the first bits of a hash, evenly spread below this. A part may have one negated. */
const issueIdLimit = 2 ** 53

/**
 * The slice of an issue: its deltas are folded together, at a different time than other slices. A slice is a
 * range of ids, so that counters on one page are counted by one fold, and not by each.
 */
export function sliceOf(issueId: number): number {
  return Math.floor((Math.abs(issueId) / issueIdLimit) * limits.counterFoldSlices)
}

/** The next id for a delta of a slice: id modulo the slice count is the slice. */
export function nextIdOfSlice(nextId: () => number, slice: number): number {
  for (;;) {
    const id = nextId()
    if (id % limits.counterFoldSlices === slice) return id
  }
}
