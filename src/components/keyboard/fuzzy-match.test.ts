import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestScore, fuzzyScore } from './fuzzy-match.ts'

describe('fuzzyScore', () => {
  it.each([
    ['resolve', 'Resolve'],
    ['rsl', 'Resolve'],
    ['next page', 'Next event or page'],
    ['page NEXT', 'Next event or page'],
    ['', 'Anything'],
  ])('finds %j in %j', (query, text) => {
    expect(fuzzyScore(query, text)).toBeDefined()
  })

  it.each([
    ['elo', 'Resolve'],
    ['resolved', 'Resolve'],
    ['resolve archive', 'Resolve'],
  ])('does not find %j in %j', (query, text) => {
    expect(fuzzyScore(query, text)).toBeUndefined()
  })

  it('ranks the start of the text first, then the start of a word, its middle, and scattered letters', () => {
    const texts = ['Inbox of sues', 'Reissues', 'My issues', 'Issues']
    const best = texts.toSorted((a, b) => (fuzzyScore('issues', b) ?? 0) - (fuzzyScore('issues', a) ?? 0))
    expect(best).toEqual(['Issues', 'My issues', 'Reissues', 'Inbox of sues'])
  })

  it('is the best of several texts, and 0 for none', () => {
    const entries = [{ text: 'Search on this page' }, { text: 'Settings' }]
    expect(bestScore('set', entries)).toBe(fuzzyScore('set', 'Settings'))
    expect(bestScore('zzz', entries)).toBe(0)
    expect(bestScore('', [])).toBe(0)
  })

  it('finds every part of a text, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, word, after) => {
        const query = word.trim().split(/\s+/)[0] ?? ''
        expect(fuzzyScore(query, before + word + after)).toBeDefined()
      }),
    )
  })
})
