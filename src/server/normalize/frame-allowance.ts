/** A list of frames with the data for choosing among them; oldest call first. */
export interface FrameList {
  length: number
  /** True if a frame is in-app; called at most once per frame, and only if frames have to be dropped. */
  isInApp: (index: number) => boolean
}

/**
 * The frames of a too long stack trace to keep, as ascending indexes; undefined to keep all.
 *
 * In-app frames take precedence, because they are the user's own code. If in-app or library frames do not all
 * fit, both ends are kept: the entry point and the crash. Same choice as Relay's `slim_frame_data`.
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
