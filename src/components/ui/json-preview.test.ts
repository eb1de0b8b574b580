import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutString, jsonPreview } from './json-preview.ts'

describe('jsonPreview', () => {
  it('names empty values', () => {
    expect(jsonPreview({})).toBe('{ }')
    expect(jsonPreview([])).toBe('[ ]')
  })

  it('shows scalars and the size of nested values', () => {
    expect(jsonPreview({ sku: 'A-1', quantity: 2, meta: { a: 1 }, lines: [1, 2], gone: null })).toBe(
      '{ sku: "A-1", quantity: 2, meta: {…}, lines: [2], gone: null }',
    )
  })

  it('shows texts that are source text without further quotes', () => {
    expect(jsonPreview({ sku: "'B'", count: '3', rest: 'None' }, false)).toBe(
      "{ sku: 'B', count: 3, rest: None }",
    )
  })

  it('reports the number of omitted entries', () => {
    expect(jsonPreview(Array.from({ length: 130 }, () => 'twelve chars'))).toMatch(/, … 125 more \]$/)
  })

  it('stays about one line long for any keys and values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 500 }), fc.string({ maxLength: 500 })), (value) => {
        expect(jsonPreview(value).length).toBeLessThan(200)
      }),
    )
  })
})

describe('cutString', () => {
  it('returns short text unchanged', () => {
    expect(cutString('abc', 3)).toEqual({ shown: 'abc', hiddenCount: 0 })
  })

  it('never splits a surrogate pair', () => {
    expect(cutString('ab😀cd', 3)).toEqual({ shown: 'ab', hiddenCount: 4 })
    expect(cutString('ab😀cd', 4)).toEqual({ shown: 'ab😀', hiddenCount: 2 })
  })

  it('accounts for every character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d') }),
        fc.integer({ min: 1, max: 50 }),
        (text, limit) => {
          const { shown, hiddenCount } = cutString(text, limit)
          expect(text.startsWith(shown)).toBe(true)
          expect(shown.length + hiddenCount).toBe(text.length)
        },
      ),
    )
  })
})
