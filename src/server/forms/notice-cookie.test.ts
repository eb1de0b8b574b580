import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatNoticeCookie, parseNoticeCookie } from './notice-cookie.ts'

const undoUrl = '/actions/undo'
const undo = { url: undoUrl, fields: [['issueIds', '1'] satisfies [string, string]] }

/** The notice as parsed by the next page. */
function carry(cookie: string) {
  expect(cookie).toMatch(/^[\x20-\x7e]+$/)
  expect(cookie.length).toBeLessThan(4_000)
  return parseNoticeCookie(`a=b; ${cookie.slice(0, cookie.indexOf(';'))}`, [undoUrl])
}

it('carries any text to the next page, in one header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (text) => {
      expect(carry(formatNoticeCookie({ text }))).toEqual({ text })
    }),
  )
})

it('carries the form that undoes the action', () => {
  expect(carry(formatNoticeCookie({ text: 'Resolved.', undo }))).toEqual({ text: 'Resolved.', undo })
})

it('carries no form that is too long for a cookie', () => {
  const fields = Array.from({ length: 500 }, (_, id): [string, string] => ['issueIds', String(id)])
  expect(carry(formatNoticeCookie({ text: 'Resolved.', undo: { ...undo, fields } }))).toEqual({
    text: 'Resolved.',
  })
})

it('omits a form that is not an undo form', () => {
  const other = { ...undo, url: '/actions/delete' }
  expect(carry(formatNoticeCookie({ text: 'Resolved.', undo: other }))).toEqual({ text: 'Resolved.' })
})

it.each([
  undefined,
  null,
  '',
  'culvert_notice=',
  'culvert_notice=%',
  'culvert_notice=1',
  'culvert_notice=%7B%22text%22%3A1%7D',
  'culvert_notice=%7B%22text%22%3A%22%22%7D',
  'xculvert_notice=a',
  'a=culvert_notice=b',
])('finds no notice in %j', (header) => {
  expect(parseNoticeCookie(header, [])).toBeUndefined()
})
