import type { Frame } from '#protocol/event.ts'

/** One row of a stack trace: a frame, or several of libraries. Keys count from the oldest frame. */
export type FrameRow =
  | { kind: 'frame'; key: number; frame: Frame; isInApp: boolean }
  | { kind: 'library'; key: number; frames: Frame[] }

/** Fewest library frames in a row that are worth a fold. */
const shortestFold = 2

/**
 * The rows of a stack trace, newest call first, with runs of library frames folded. The failing frame always
 * has its own row, even if it is a library's. Frames are in-app if the SDK marked them; if it marked none
 * in-app, those without a mark are.
 */
export function foldFrames(frames: readonly Frame[]): FrameRow[] {
  const hasOwn = frames.some((frame) => frame.inApp === true)
  const isOwn = (frame: Frame) => frame.inApp === true || (!hasOwn && frame.inApp === undefined)
  const rows: FrameRow[] = []
  let run: Frame[] = []

  const endRun = (oldestKey: number) => {
    if (run.length >= shortestFold) rows.push({ kind: 'library', key: oldestKey, frames: run })
    else for (const frame of run) rows.push({ kind: 'frame', key: oldestKey, frame, isInApp: false })
    run = []
  }

  frames.toReversed().forEach((frame, index) => {
    const key = frames.length - 1 - index
    if (index > 0 && !isOwn(frame)) {
      run.push(frame)
      return
    }
    endRun(key + 1)
    rows.push({ kind: 'frame', key, frame, isInApp: isOwn(frame) })
  })
  endRun(0)
  return rows
}

/** The same rows with nothing folded. */
export function listFrames(frames: readonly Frame[]): FrameRow[] {
  return foldFrames(frames).flatMap((row): FrameRow[] => {
    if (row.kind === 'frame') return [row]
    const newest = row.key + row.frames.length - 1
    return row.frames.map((frame, index) => ({ kind: 'frame', key: newest - index, frame, isInApp: false }))
  })
}

/**
 * The row of the likely cause: the newest application frame, if the SDK marks application frames. Undefined
 * otherwise.
 */
export function findLikelyCause(rows: readonly FrameRow[]): FrameRow | undefined {
  const hasInAppMarks = rows.some((row) => row.kind === 'library' || !row.isInApp || row.frame.inApp === true)
  return hasInAppMarks ? rows.find((row) => row.kind === 'frame' && row.isInApp) : undefined
}

/**
 * The rows that are initially expanded: application frames with details, newest first, at most `limit`;
 * without any, the newest row with details.
 */
export function openFrameKeys(rows: readonly FrameRow[], limit: number): ReadonlySet<number> {
  const showable = rows.filter((row) => row.kind === 'frame' && hasFrameDetail(row.frame))
  const own = showable.filter((row) => row.kind === 'frame' && row.isInApp)
  const open = own.length > 0 ? own.slice(0, limit) : showable.slice(0, Math.min(1, limit))
  return new Set(open.map((row) => row.key))
}

/** True when a frame has more to show than its own line: source around it or variables. */
export function hasFrameDetail(frame: Frame): boolean {
  return frame.contextLine !== undefined || hasVariables(frame)
}

/** True when the SDK sent local variables. */
export function hasVariables(frame: Frame): boolean {
  return frame.vars !== undefined && Object.keys(frame.vars).length > 0
}
