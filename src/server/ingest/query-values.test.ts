import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { queryValues } from './query-values.ts'

describe('queryValues', () => {
  it.each([
    ['sentry_version=7&sentry_key=abc&sentry_client=a%2F1', ['abc']],
    ['sentry_key=a&sentry_key=b', ['a', 'b']],
    ['sentry%5Fkey=a+b', ['a b']],
    ['sentry_key', ['']],
    ['sentry_key=', ['']],
    ['sentry_key=a=b', ['a=b']],
    ['sentry_key=%zz', ['%zz']],
    ['sentry_key[]=a', []],
    ['xsentry_key=a', []],
    ['', []],
  ])('reads %j', (query, values) => {
    expect(queryValues(query, 'sentry_key')).toEqual(values)
  })

  it('reads the same values as URLSearchParams', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'a b'), fc.string({ unit: 'grapheme' })))
    fc.assert(
      fc.property(pairs, (list) => {
        const parameters = new URLSearchParams(list)
        expect(queryValues(parameters.toString(), 'a')).toEqual(parameters.getAll('a'))
      }),
    )
  })
})
