import type { Frame } from '#protocol/event.ts'

/** A line of source around the place where it happened. */
export interface SourceLine {
  text: string
  isCurrent: boolean
}

/** The lines around a frame, and the number of the first one when the frame knows its own. */
export function sourceLines(frame: Frame): { firstNumber: number | undefined; lines: SourceLine[] } {
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
