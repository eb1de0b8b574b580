import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatNoticeCookie, parseNoticeCookie } from './notice-cookie.ts'

it('carries any text to the next page, in one header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (text) => {
      const cookie = formatNoticeCookie(text)
      expect(cookie).toMatch(/^[\x20-\x7e]+$/)
      expect(parseNoticeCookie(`a=b; ${cookie.slice(0, cookie.indexOf(';'))}`)).toBe(text)
    }),
  )
})

it.each([
  undefined,
  null,
  '',
  'culvert_notice=',
  'culvert_notice=%',
  'xculvert_notice=a',
  'a=culvert_notice=b',
])('finds none in %j', (header) => {
  expect(parseNoticeCookie(header)).toBeUndefined()
})
