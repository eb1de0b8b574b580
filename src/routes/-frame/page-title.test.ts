import { expect, it } from 'vitest'
import { pageTitle } from './page-title.ts'

it('removes characters that would change the direction of the whole title', () => {
  expect(pageTitle('Bidi\u202EError\u2066x')).toBe('BidiErrorx · Culvert')
  expect(pageTitle('خطأ')).toBe('خطأ · Culvert')
})
