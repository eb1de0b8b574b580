import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame } from '#protocol/event.ts'
import { foldFrames, openFrameKeys } from './frame-folding.ts'
import { foldSourceLines } from './source-lines.ts'

const own = (name: string): Frame => ({ function: name, inApp: true, contextLine: 'x' })
const library = (name: string): Frame => ({ function: name, inApp: false, contextLine: 'x' })

function describeRows(frames: Frame[]): string[] {
  return foldFrames(frames).map((row) =>
    row.kind === 'library' ? `${row.frames.length} folded` : `${row.frame.function}${row.isInApp ? '' : '?'}`,
  )
}

describe('foldFrames', () => {
  it('puts the newest call first and folds runs of library frames', () => {
    const frames = [
      own('main'),
      library('a'),
      library('b'),
      library('c'),
      own('handler'),
      library('d'),
      own('crash'),
    ]
    expect(describeRows(frames)).toEqual(['crash', 'd?', 'handler', '3 folded', 'main'])
  })

  it('shows the crashing frame even when it belongs to a library', () => {
    expect(describeRows([own('main'), library('a'), library('b'), library('crash')])).toEqual([
      'crash?',
      '2 folded',
      'main',
    ])
  })

  it('treats unmarked frames as in-app when no frame is marked in-app', () => {
    expect(describeRows([{ function: 'a' }, library('b'), { function: 'c' }])).toEqual(['c', 'b?', 'a'])
    expect(describeRows([{ function: 'a' }, { function: 'b' }, own('c')])).toEqual(['c', '2 folded'])
  })

  it('has no rows for no frames', () => {
    expect(foldFrames([])).toEqual([])
  })

  it('keeps all frames in order, with unique keys', () => {
    const frame = fc.record({ inApp: fc.boolean(), lineNumber: fc.nat() })
    fc.assert(
      fc.property(fc.array(frame), (frames) => {
        const rows = foldFrames(frames)
        expect(rows.flatMap((row) => (row.kind === 'library' ? row.frames : [row.frame]))).toEqual(
          frames.toReversed(),
        )
        expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
      }),
    )
  })
})

describe('openFrameKeys', () => {
  it('opens the newest own frames up to the limit', () => {
    const rows = foldFrames([own('a'), own('b'), own('c'), library('d')])
    expect([...openFrameKeys(rows, 2)]).toEqual([2, 1])
  })

  it('opens the newest frame with details when none is in-app', () => {
    expect([...openFrameKeys(foldFrames([library('a'), library('b'), library('c')]), 4)]).toEqual([2])
    expect([...openFrameKeys(foldFrames([{ function: 'bare' }]), 4)]).toEqual([])
  })
})

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`)

describe('foldSourceLines', () => {
  it('numbers the first line from the line of the frame', () => {
    const frame: Frame = { lineNumber: 10, preContext: ['a', 'b'], contextLine: 'c', postContext: ['d'] }
    const { folded, shown } = foldSourceLines(frame, false)
    expect(folded.lines).toEqual([])
    expect(shown.firstNumber).toBe(8)
    expect(shown.lines.map((line) => line.isCurrent)).toEqual([false, false, true, false])
  })

  it('shows three lines above the line of the frame, and numbers both parts', () => {
    const frame: Frame = { lineNumber: 48, preContext: lines(7), contextLine: 'c', postContext: lines(7) }
    const { folded, shown } = foldSourceLines(frame, false)
    expect([folded.firstNumber, folded.lines.length]).toEqual([41, 4])
    expect([shown.firstNumber, shown.lines.length, shown.lines[3]?.isCurrent]).toEqual([45, 11, true])
    expect(foldSourceLines(frame, true).shown.lines).toHaveLength(15)
  })

  it('folds no single line', () => {
    const frame: Frame = { preContext: lines(4), contextLine: 'c' }
    expect(foldSourceLines(frame, false).folded.lines).toEqual([])
  })

  it('numbers no line below one', () => {
    const frame: Frame = { lineNumber: 1, preContext: ['a', 'b'], contextLine: 'c' }
    expect(foldSourceLines(frame, false).shown.firstNumber).toBeUndefined()
    expect(foldSourceLines({ contextLine: 'c' }, false).shown.firstNumber).toBeUndefined()
  })
})
