import { limits } from '#server/limits.ts'

/** Issue ids are the first 53 bits of a hash, evenly below this limit. A part may have a negative id. */
const issueIdLimit = 2 ** 53

/**
 * The slice of an issue: the deltas of a slice are folded together, at a different time than those of other
 * slices. A slice is a range of ids, so that one fold updates all counters on a page of the database, and
 * other folds do not touch it.
 */
export function sliceOf(issueId: number): number {
  return Math.floor((Math.abs(issueId) / issueIdLimit) * limits.counterFoldSlices)
}

/** The next id for a delta of a slice: `id % sliceCount` is the slice. */
export function nextIdOfSlice(nextId: () => number, slice: number): number {
  for (;;) {
    const id = nextId()
    if (id % limits.counterFoldSlices === slice) return id
  }
}
