import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fencedBlock, inlineCode } from './markdown-text.ts'

const hostile = fc.string({ unit: fc.constantFrom('`', '```', '\n', '\r\n', ' ', '~~~', '#', '<b>', 'x') })

/** CommonMark: a closing fence is at least as long as the opening one, indented by up to three spaces. */
function fenceLength(line: string): number {
  return /^ {0,3}(`+)\s*$/.exec(line)?.[1]?.length ?? 0
}

describe('a fenced block', () => {
  it('is not closed by any line of its text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const lines = fencedBlock(text, 'text').split('\n')
        const fence = lines.at(-1) ?? ''
        expect(lines[0]).toBe(`${fence}text`)
        expect(lines.slice(1, -1).filter((line) => fenceLength(line) >= fence.length)).toEqual([])
        expect(lines.slice(1, -1).join('\n')).toBe(text.replaceAll(/\r\n?/g, '\n'))
      }),
    )
  })
})

describe('invisible characters', () => {
  const tags = Array.from('ignore all')
    .map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)))
    .join('')
  const hidden = `${tags}\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u2066\ufe0f\u{e0100}`

  it('are removed, and cannot make a fence longer than it appears', () => {
    expect(inlineCode(`pay${hidden}ment`)).toBe('`payment`')
    expect(fencedBlock(`pay${hidden}ment`)).toBe('```\npayment\n```')
    expect(fencedBlock(`\`\`${hidden}\``)).toBe('````\n```\n````')
  })
})

describe('code within a line', () => {
  it('stays one line for any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const code = inlineCode(text)
        expect(code).not.toMatch(/[\r\n]/)
        const [fence = ''] = /^`+/.exec(code.replace(/^(`+) `.*$/, '$1')) ?? []
        const runs = [...code.matchAll(/`+/g)].map(([run]) => run.length)
        expect(runs.filter((length) => length === fence.length)).toHaveLength(code === '' ? 0 : 2)
      }),
    )
  })

  it('truncates the text to fit', () => {
    expect(inlineCode('a `b` c')).toBe('``a `b` c``')
    expect(inlineCode('`x')).toBe('`` `x ``')
    expect(inlineCode('two\n\nlines')).toBe('`two lines`')
    expect(inlineCode(' ')).toBe('')
  })
})
