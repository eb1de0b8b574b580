import { limits } from '#server/limits.ts'

/**
 * The slice that an issue is counted in: its deltas are folded together, at another time than those of other
 * slices.
 */
export function sliceOf(issueId: number): number {
  return Math.abs(issueId) % limits.counterFoldSlices
}

/**
 * The next id for a delta of a slice: an id tells its slice by what is left when it is divided by their
 * number.
 */
export function nextIdOfSlice(nextId: () => number, slice: number): number {
  for (;;) {
    const id = nextId()
    if (id % limits.counterFoldSlices === slice) return id
  }
}
