import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatSearchParams, parseSearchParams } from './search-params.ts'

it('keeps every text as entered', () => {
  for (const q of ['"is not a"', '42', 'true', 'null', '[a, b]', '{"a":1}', 'a+b c&d=é%']) {
    expect(parseSearchParams(formatSearchParams({ q }))).toEqual({ q })
  }
})

it('omits missing values', () => {
  expect(formatSearchParams({ q: undefined, status: null })).toBe('')
  expect(formatSearchParams({ q: '', page: 2 })).toBe('?q=&page=2')
})

it('reads the fields of a form', () => {
  expect(parseSearchParams('?q=%22a+b%22&status=all')).toEqual({ q: '"a b"', status: 'all' })
})

it('encodes like a form', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })), (search) => {
      const text = new URLSearchParams(search).toString()
      expect(formatSearchParams(search)).toBe(text === '' ? '' : `?${text}`)
    }),
  )
})
