import { limits } from '#server/limits.ts'

/**
 * Which frames of an over-long stack trace are kept, by index; undefined when all are.
 *
 * `isInApp` has one element per frame, oldest call first.
 */
export function keptFrameIndexes(isInApp: readonly boolean[]): Set<number> | undefined {
  return allowedIndexes(isInApp, limits.frames)
}

/** Which frames keep their variables and source lines, by index; undefined when all do. */
export function detailedFrameIndexes(isInApp: readonly boolean[]): Set<number> | undefined {
  return allowedIndexes(isInApp, limits.detailedFrames)
}

/**
 * In-app frames come first, since they are the reader's own; of a kind that does not fit whole, both ends are kept:
 * where the program came in and where it broke. Same choice as Relay's `slim_frame_data`.
 */
function allowedIndexes(isInApp: readonly boolean[], allowance: number): Set<number> | undefined {
  if (isInApp.length <= allowance) return undefined
  const inApp: number[] = []
  const system: number[] = []
  for (const [index, isOwn] of isInApp.entries()) (isOwn ? inApp : system).push(index)
  const keptInApp = bothEnds(inApp, allowance)
  return new Set([...keptInApp, ...bothEnds(system, allowance - keptInApp.length)])
}

function bothEnds(indexes: readonly number[], count: number): readonly number[] {
  if (indexes.length <= count) return indexes
  const newest = Math.ceil(count / 2)
  return [...indexes.slice(0, count - newest), ...indexes.slice(indexes.length - newest)]
}
