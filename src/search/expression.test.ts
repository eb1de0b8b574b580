import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, findSearchedStatuses, toExpression, withoutStatuses } from './expression.ts'
import { parseSearch } from './parse-search.ts'
import type { SearchCondition } from './term.ts'

const expressionOf = (text: string) => toExpression(parseSearch(text))

/** The word of a text condition. */
function wordOf(condition: SearchCondition): string {
  return condition.kind === 'text' ? (condition.value.pieces[0] ?? '') : ''
}

const decided = (text: string, known: Record<string, boolean>) =>
  decide(expressionOf(text), (condition) => known[wordOf(condition)])

describe('a partial evaluation', () => {
  it.each([
    ['a b', { a: false }, false],
    ['a b', { a: true, b: true }, true],
    ['a OR b', { a: true }, true],
    ['a OR b', { a: false, b: false }, false],
    ['!(a OR b)', { a: true }, false],
    ['', {}, true],
  ])('decides %s', (text, known, is) => {
    expect(decided(text, known)).toBe(is)
  })

  it('leaves unknown conditions undecided', () => {
    expect(decided('a b', { a: true })).toEqual(expressionOf('b'))
    expect(decided('a OR (b c)', { a: false, c: true })).toEqual(expressionOf('b'))
    expect(decided('!(a b)', { a: true })).toEqual(expressionOf('!b'))
  })

  it('agrees with a full evaluation', () => {
    const texts = fc.constantFrom('a', '!a b', 'a OR b', '!(a OR b c)', '(a OR !b) (c OR a)', '!(!(a b) c)')
    const values = fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.boolean() })
    fc.assert(
      fc.property(texts, values, fc.constantFrom('a', 'b', 'c'), (text, all, first) => {
        const known = new Map(Object.entries(all))
        const early = decided(text, { [first]: all[first] })
        const late =
          typeof early === 'boolean' ? early : decide(early, (condition) => known.get(wordOf(condition)))
        expect(late).toBe(decided(text, all))
      }),
    )
  })
})

describe('the statuses of a search', () => {
  it.each([
    ['a', undefined],
    ['is:resolved', ['resolved']],
    ['!is:resolved', ['unresolved', 'archived']],
    ['is:resolved is:archived', []],
    ['is:[resolved, archived]', ['resolved', 'archived']],
    ['is:resolved OR is:archived', ['resolved', 'archived']],
    ['is:resolved OR level:fatal', undefined],
    ['(is:resolved a) OR (is:archived b)', ['resolved', 'archived']],
    ['is:escalating', ['unresolved']],
    ['is:archived_forever', ['archived']],
  ])('%s are those that it is limited to: %j', (text, statuses) => {
    expect(findSearchedStatuses(parseSearch(text))).toEqual(statuses)
  })

  it.each([
    ['is:resolved a  !is:archived b is:regressed', 'a  b is:regressed'],
    ['is:resolved OR is:archived', ''],
    ['(is:resolved OR is:archived) a', 'a'],
    ['is:resolved OR a', 'is:resolved OR a'],
  ])('can be removed from %s', (text, rest) => {
    expect(withoutStatuses(text, parseSearch(text))).toBe(rest)
  })
})
