import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText, cutText, firstLine } from './text.ts'

describe('cleanText', () => {
  it.each([
    ['fine', 10, 'fine'],
    ['a\0b', 10, 'a\ufffdb'],
    ['\ud800x\udc00', 10, '\ufffdx\ufffd'],
    ['abcdef', 4, 'abc…'],
    ['ab😀cd', 4, 'ab…'],
  ])('makes %j within %d %j', (text, maxCharacters, clean) => {
    expect(cleanText(text, maxCharacters)).toBe(clean)
  })

  it('returns a short, well-formed text without NUL for any text', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, fc.nat({ max: 20 }), (each, maxCharacters) => {
        const clean = cleanText(`${each}\ud800`, maxCharacters)
        expect(clean.length).toBeLessThanOrEqual(maxCharacters)
        expect(clean.isWellFormed()).toBe(true)
        expect(clean).not.toContain('\0')
      }),
    )
  })
})

describe('cutText', () => {
  it('returns a short text unchanged', () => {
    expect(cutText('abc', 3)).toBe('abc')
    expect(cutText('abc', 1)).toBe('…')
    expect(cutText('abc', 0)).toBe('')
  })
})

describe('firstLine', () => {
  it.each([
    ['one\ntwo', 'one'],
    ['\n\n  one  \r\ntwo', 'one'],
    ['one\rtwo', 'one'],
    [' \n ', ''],
    ['', ''],
  ])('of %j is %j', (text, line) => {
    expect(firstLine(text, 100)).toBe(line)
  })
})
