/** A list of frames, as far as choosing among them needs it; oldest call first. */
export interface FrameList {
  length: number
  /** True if a frame is in-app; called at most once per frame, and only if frames must be dropped. */
  isInApp: (index: number) => boolean
}

/**
 * Which frames of an over-long stack trace are kept, as ascending indexes; undefined when all of them are.
 *
 * In-app frames take precedence, since they are the reader's own; of a kind that does not fit completely,
 * both ends are kept: the entry point and the crash. Same choice as Relay's `slim_frame_data`.
 */
export function allowedFrames(frames: FrameList, allowance: number): number[] | undefined {
  if (frames.length <= allowance) return undefined
  const inApp: number[] = []
  const system: number[] = []
  for (let index = 0; index < frames.length; index += 1) (frames.isInApp(index) ? inApp : system).push(index)
  const keptInApp = bothEnds(inApp, allowance)
  const keptSystem = bothEnds(system, allowance - keptInApp.length)
  return [...keptInApp, ...keptSystem].toSorted((left, right) => left - right)
}

function bothEnds(indexes: number[], count: number): number[] {
  if (indexes.length <= count) return indexes
  const newest = Math.ceil(count / 2)
  return [...indexes.slice(0, count - newest), ...indexes.slice(indexes.length - newest)]
}
