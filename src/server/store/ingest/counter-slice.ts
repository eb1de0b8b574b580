import { limits } from '#server/limits.ts'

/** The slice of an issue: its deltas are folded together, at a different time than other slices. */
export function sliceOf(issueId: number): number {
  return Math.abs(issueId) % limits.counterFoldSlices
}

/** The next id for a delta of a slice: id modulo the slice count is the slice. */
export function nextIdOfSlice(nextId: () => number, slice: number): number {
  for (;;) {
    const id = nextId()
    if (id % limits.counterFoldSlices === slice) return id
  }
}
