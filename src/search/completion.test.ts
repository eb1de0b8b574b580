import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCompletion, suggestFixedValues, suggestKeys } from './completion.ts'
import { parseSearch } from './parse-search.ts'
import { quoteValue } from './quote-value.ts'

describe('the token at the cursor', () => {
  it.each([
    ['', 0, { start: 0, end: 0, typed: '' }],
    ['a ', 2, { start: 2, end: 2, typed: '' }],
    ['le', 2, { start: 0, end: 2, typed: 'le' }],
    ['!le', 3, { start: 1, end: 3, typed: 'le' }],
    ['x level:er y', 10, { start: 8, end: 10, key: 'level', typed: 'er' }],
    ['level:error', 3, { start: 0, end: 6, typed: 'lev' }],
    ['level:', 6, { start: 6, end: 6, key: 'level', typed: '' }],
    ['"a b', 2, undefined],
    ['os:[a, b', 5, undefined],
  ])('in %j at %i', (text, caret, completion) => {
    expect(findCompletion(text, caret)).toEqual(completion)
  })

  it('is found in any text at any offset', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.nat(60), (text, at) => {
        const { start, end } = findCompletion(text, Math.min(at, text.length)) ?? { start: 0, end: 0 }
        expect(start).toBeLessThanOrEqual(end)
      }),
    )
  })
})

describe('suggestions', () => {
  it('are keys with that prefix, then keys that contain it', () => {
    const keys = ['users:', 'user.id:', 'user.email:', 'user.username:', 'user.ip:', 'user:']
    expect(
      suggestKeys('us')
        .slice(0, 6)
        .map(({ text }) => text),
    ).toEqual(keys)
    expect(suggestKeys('seen').map(({ text }) => text)).toEqual(['firstSeen:', 'lastSeen:', 'timesSeen:'])
    expect(suggestKeys('le')[0]?.text).toBe('level:')
  })

  it('name tags in a way that is parsed back', () => {
    const keys = ['region', 'a/b', 'a:b', '1st', 'location']
    const texts = suggestKeys('zzz', [...keys, 'x]', 'two words']).map(({ text }) => text)
    expect(texts).toEqual(['region:', 'tags[a/b]:', 'tags[a:b]:', 'tags[1st]:', 'tags[location]:'])
    for (const [index, text] of texts.entries()) {
      const { parts } = parseSearch(`${text}x`)
      expect(parts[0]?.expression).toMatchObject({ condition: { kind: 'tag', key: keys[index] } })
    }
  })

  it('are the values of a key that are always the same', () => {
    expect(suggestFixedValues('is', 're')?.map(({ text }) => text)).toEqual(['resolved', 'regressed'])
    expect(suggestFixedValues('browser', '')).toBeUndefined()
  })

  it('quote any value so that it is parsed back', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40 }), (text) => {
        fc.pre(!text.startsWith('//'))
        const { parts } = parseSearch(`region:${quoteValue(text)}`)
        expect(parts[0]?.expression).toMatchObject({ condition: { values: [{ pieces: [text] }] } })
      }),
    )
  })
})
