import type { Frame } from '#protocol/event.ts'

/** A line of source at or near a frame's position. */
export interface SourceLine {
  text: string
  isCurrent: boolean
}

/** Consecutive lines, and the number of the first one if the frame has a line number. */
export interface SourceBlock {
  firstNumber: number | undefined
  lines: SourceLine[]
}

/** Lines above the current one that are not folded. */
const shownAbove = 3

/** Fewer lines than this are not worth a fold. */
const shortestFold = 2

/** The lines around a frame: those far above the current one apart, unless `isFull`. */
export function foldSourceLines(frame: Frame, isFull: boolean): { folded: SourceBlock; shown: SourceBlock } {
  const { firstNumber, lines } = sourceLines(frame)
  const aboveCount = lines.findIndex(({ isCurrent }) => isCurrent)
  const surplus = aboveCount - shownAbove
  const foldedCount = isFull || surplus < shortestFold ? 0 : surplus
  return {
    folded: { firstNumber, lines: lines.slice(0, foldedCount) },
    shown: {
      firstNumber: firstNumber === undefined ? undefined : firstNumber + foldedCount,
      lines: lines.slice(foldedCount),
    },
  }
}

function sourceLines(frame: Frame): SourceBlock {
  if (frame.contextLine === undefined) return { firstNumber: undefined, lines: [] }
  const before = frame.preContext ?? []
  const lines = [
    ...before.map((text) => ({ text, isCurrent: false })),
    { text: frame.contextLine, isCurrent: true },
    ...(frame.postContext ?? []).map((text) => ({ text, isCurrent: false })),
  ]
  const firstNumber = frame.lineNumber === undefined ? undefined : frame.lineNumber - before.length
  return { firstNumber: firstNumber !== undefined && firstNumber >= 1 ? firstNumber : undefined, lines }
}
