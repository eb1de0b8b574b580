import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSearchedStatuses, parseSearch, withoutStatuses } from './parse-search.ts'
import { searchKeys } from './search-keys.ts'

const conditionsOf = (text: string) => parseSearch(text).terms.map(({ condition }) => condition)
const asValue = (text: string, isPrefix = false) => ({ text, isPrefix })
const problemOf = (text: string) => {
  const [problem] = parseSearch(text).problems
  return problem && { token: text.slice(problem.start, problem.end), message: problem.message }
}

describe('a search', () => {
  it('of hostile text throws nothing, and every token stands where it says', () => {
    const pieces = fc.constantFrom(
      'is:',
      'level:[',
      '"',
      '\\',
      '!',
      ':',
      ',',
      ']',
      '*',
      ' ',
      'a',
      '>1',
      '-24h',
      'é',
      '🦊',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.array(pieces, { maxLength: 60 }).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(text, (search) => {
        const { terms, problems } = parseSearch(search)
        let last = 0
        const spans = [...terms, ...problems].toSorted((one, other) => one.start - other.start)
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(search.slice(start, end)).toBe(search.slice(start, end).trim())
          last = end
        }
        expect(last).toBeLessThanOrEqual(search.length)
        for (const { message } of problems) expect(message).toMatch(/\.$/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('knows every key it offers, with every value it offers', () => {
    for (const { key, values, sample } of searchKeys) {
      for (const value of [...(values ?? []), ...(sample === undefined ? [] : [sample])])
        expect(parseSearch(`${key}:${value}`)).toMatchObject({ terms: [{}], problems: [] })
    }
  })

  it('asks for status, level, project and whose it is', () => {
    expect(conditionsOf('is:unresolved is:regressed is:new level:[error, FATAL] project:web,api')).toEqual([
      { kind: 'status', statuses: ['unresolved'] },
      { kind: 'regressed' },
      { kind: 'new' },
      { kind: 'level', levels: ['error', 'fatal'] },
      { kind: 'project', slugs: ['web', 'api'] },
    ])
    expect(conditionsOf('is:for_me is:unassigned is:assigned assigned:[me, none, Ada@Example.com]')).toEqual([
      { kind: 'assignee', assignees: [{ kind: 'me' }] },
      { kind: 'assignee', assignees: [{ kind: 'none' }] },
      { kind: 'assignee', assignees: [{ kind: 'anyone' }] },
      {
        kind: 'assignee',
        assignees: [{ kind: 'me' }, { kind: 'none' }, { kind: 'email', email: 'ada@example.com' }],
      },
    ])
  })

  it('asks for tags: quoted, listed, by their beginning, turned around', () => {
    expect(conditionsOf('browser.name:Firefox release:web@1.4* url:"a, \\"b\\" c"')).toEqual([
      { kind: 'tag', key: 'browser.name', values: [asValue('Firefox')] },
      { kind: 'tag', key: 'release', values: [asValue('web@1.4', true)] },
      { kind: 'tag', key: 'url', values: [asValue('a, "b" c')] },
    ])
    expect(conditionsOf('os:[iOS, "mac OS"] tags[is]:x has:region region:*')).toEqual([
      { kind: 'tag', key: 'os', values: [asValue('iOS'), asValue('mac OS')] },
      { kind: 'tag', key: 'is', values: [asValue('x')] },
      { kind: 'has', key: 'region' },
      { kind: 'has', key: 'region' },
    ])
    expect(parseSearch('!region:eu').terms).toMatchObject([{ isNegated: true, start: 0, end: 10 }])
  })

  it('asks for numbers and times', () => {
    expect(conditionsOf('timesSeen:>100 users:<=5 timesSeen:1k')).toEqual([
      { kind: 'count', of: 'events', min: 101 },
      { kind: 'count', of: 'users', max: 5 },
      { kind: 'count', of: 'events', min: 1_000, max: 1_000 },
    ])
    const day = Date.UTC(2026, 10, 1)
    expect(
      conditionsOf('firstSeen:-24h lastSeen:+2w firstSeen:2026-11-01 firstSeen:>2026-11-01T12:30'),
    ).toEqual([
      { kind: 'seen', which: 'first', from: { agoMs: 86_400_000 } },
      { kind: 'seen', which: 'last', to: { agoMs: 14 * 86_400_000 } },
      { kind: 'seen', which: 'first', from: { at: day }, to: { at: day + 86_400_000 } },
      { kind: 'seen', which: 'first', from: { at: day + 12.5 * 3_600_000 + 60_000 } },
    ])
  })

  it('looks for words, and for what stands between quotes', () => {
    expect(conditionsOf('timeout "is not a" !flaky title:TypeError')).toMatchObject([
      { kind: 'text', text: 'timeout', isPhrase: false },
      { kind: 'text', text: 'is not a', isPhrase: true },
      { kind: 'text', text: 'flaky' },
      { kind: 'text', text: 'TypeError', in: 'title' },
    ])
  })

  it('takes a pasted title and an address for text', () => {
    expect(conditionsOf('TypeError: boom')).toMatchObject([{ text: 'TypeError' }, { text: 'boom' }])
    expect(conditionsOf('https://example.com/a')).toMatchObject([{ text: 'https://example.com/a' }])
  })
})

describe('a problem', () => {
  it.each([
    ['is:open x', 'is:open', /is knows unresolved, .* not "open"/],
    ['x level:loud', 'level:loud', /level knows fatal, /],
    ['timesSeen:many', 'timesSeen:many', /timesSeen:>100/],
    ['firstSeen:yesterday', 'firstSeen:yesterday', /firstSeen:-24h/],
    ['lastSeen:>2026-13-01', 'lastSeen:>2026-13-01', /takes a time/],
    ['user.email:*@x.org', 'user.email:*@x.org', /only at its end/],
    ['is:', 'is:', /needs a value right behind the colon, such as is:unresolved/],
    ['release:"web 1', 'release:"web', /quotes of release do not end/],
    ['level:[error fatal', 'level:[error', /has no end/],
    ['region:eu,', 'region:eu,', /each side of a comma/],
    ['a OR b', 'OR', /several values stand in a list/],
    ['=>', '=>', /no letter or digit/],
    ['has:a,b', 'has:a,b', /name of one tag/],
  ])('of %s names the token and says what is right', (search, token, message) => {
    const problem = problemOf(search)
    expect(problem?.token).toBe(token)
    expect(problem?.message).toMatch(message)
  })

  it('leaves the other tokens as they are', () => {
    expect(conditionsOf('level:error is:open timeout')).toMatchObject([{ kind: 'level' }, { kind: 'text' }])
  })

  it('is every token past the twentieth', () => {
    expect(parseSearch('a '.repeat(23)).problems).toHaveLength(3)
  })

  it('is everything from the token on that is past the last character', () => {
    const search = `level:error ${'x'.repeat(600)} y`
    expect(conditionsOf(search)).toMatchObject([{ kind: 'level' }])
    expect(parseSearch(search).problems).toMatchObject([{ start: 12, end: 614 }])
    expect(problemOf(search)?.message).toMatch(/at most 500 characters, and this one has 614/)
  })
})

describe('the statuses of a search', () => {
  it('are those it names, and none of its own without one', () => {
    expect(findSearchedStatuses(parseSearch('a').terms)).toBeUndefined()
    expect(findSearchedStatuses(parseSearch('is:resolved').terms)).toEqual(['resolved'])
    expect(findSearchedStatuses(parseSearch('!is:resolved').terms)).toEqual(['unresolved', 'archived'])
    expect(findSearchedStatuses(parseSearch('is:resolved is:archived').terms)).toEqual([])
  })

  it('can be taken out of it', () => {
    expect(withoutStatuses('is:resolved a  !is:archived b is:regressed')).toBe('a  b is:regressed')
  })
})
