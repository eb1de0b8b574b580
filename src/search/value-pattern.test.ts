import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesPattern } from './value-pattern.ts'

describe('a pattern', () => {
  it.each([
    ['ab', ['ab'], true],
    ['ab', ['a'], false],
    ['ab', ['a', ''], true],
    ['ab', ['', 'b'], true],
    ['aba', ['a', 'b', 'a'], true],
    ['aa', ['a', 'a', 'a'], false],
    ['a', ['a', 'a'], false],
    ['', ['', ''], true],
    ['xaybz', ['', 'a', 'b', ''], true],
    ['xbya', ['', 'a', 'b', ''], false],
  ])('%s and %j: %s', (value, pieces, is) => {
    expect(matchesPattern(value, { pieces })).toBe(is)
  })

  it('matches as its regular expression does', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 })
    fc.assert(
      fc.property(letters, fc.array(letters, { minLength: 1, maxLength: 4 }), (value, pieces) => {
        const expected = new RegExp(`^${pieces.map((piece) => RegExp.escape(piece)).join('.*')}$`, 's')
        expect(matchesPattern(value, { pieces })).toBe(expected.test(value))
      }),
    )
  })
})
