import { expect, it } from 'vitest'
import { pageHead } from './page-title.ts'

const titleOf = (subject: string, status = 'success') =>
  pageHead(subject, { match: { status } }).meta[0]?.title

it('does not name the subject of a screen that is not found', () => {
  expect(titleOf('Issue', 'notFound')).toBe('Not found · Culvert')
})

it('removes characters that would change the direction of the whole title', () => {
  expect(titleOf('Bidi\u202EError\u2066x')).toBe('BidiErrorx · Culvert')
  expect(titleOf('خطأ')).toBe('خطأ · Culvert')
})
