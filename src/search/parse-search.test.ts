import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { listConditions, toExpression } from './expression.ts'
import { parseSearch } from './parse-search.ts'
import { unsupportedSentryWords } from './sentry-words.ts'
import { startingTexts } from './starting-texts.ts'
import type { SearchCondition, SearchExpression } from './term.ts'
import { findSearchWord, searchWords } from './words.ts'

const expressionOf = (text: string) => toExpression(parseSearch(text))
const conditionsOf = (text: string) => listConditions(expressionOf(text))
const value = (...pieces: string[]) => ({ pieces })
const tag = (key: string, ...values: object[]) => ({ kind: 'tag', key, values })
const problemOf = (text: string) => {
  const [problem] = parseSearch(text).problems
  return problem && { token: text.slice(problem.start, problem.end), message: problem.message }
}
/** An expression in few words: its conditions by the texts in them. */
function show(expression: SearchExpression): string {
  switch (expression.kind) {
    case 'term':
      return showCondition(expression.condition)
    case 'not':
      return `!${show(expression.of)}`
    case 'all':
    case 'any':
      break
  }
  const inner = expression.of.map(show).join(expression.kind === 'all' ? ' & ' : ' | ')
  return `(${inner})`
}

function showCondition(condition: SearchCondition): string {
  if (condition.kind === 'text') return condition.value.pieces.join('*')
  if (condition.kind === 'status') return condition.statuses.join()
  return condition.kind
}

const pieces = fc.constantFrom(
  'is:',
  'level:[',
  'release:>',
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
  '(',
  '!(',
  ')',
  ' AND ',
  ' OR ',
  'stack.filename:*x*',
)
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.array(pieces, { maxLength: 60 }).map((some) => some.join('')),
)

/** A condition on feature flags; the texts are those around wildcards. */
const flagTrait = (...texts: string[]) => ({ kind: 'trait', key: 'flags', values: [{ pieces: texts }] })

describe('a search', () => {
  it('of hostile text never throws, and every part and problem has valid offsets', () => {
    fc.assert(
      fc.property(anyText, (search) => {
        const { parts, problems } = parseSearch(search)
        let last = 0
        for (const { start, end } of parts) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(search.slice(start, end)).toBe(search.slice(start, end).trim())
          last = end
        }
        for (const { start, end, message } of problems) {
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(search.length)
          expect(message).toMatch(/\.$/)
        }
        expect(conditionsOf(search).length).toBeLessThanOrEqual(20 * 6)
      }),
      { numRuns: 2_000 },
    )
  })

  it('has the same meaning with redundant parentheses, and with a double negation', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '!b', 'c OR d', '(e f)', '!(g OR h)', 'level:error'), {
          minLength: 1,
          maxLength: 5,
        }),
        (some) => {
          const text = some.join(' ')
          const meant = show(expressionOf(text))
          expect(show(expressionOf(`((${text}))`))).toBe(meant)
          expect(show(expressionOf(`!(!(${text}))`))).toBe(meant)
        },
      ),
    )
  })

  it('accepts every suggested word by every name with every value', () => {
    for (const { word, aliases = [], values = [], sample } of searchWords) {
      const samples = [...values, ...(sample === undefined ? [] : [sample])]
      expect(samples.length).toBeGreaterThan(0)
      for (const name of [word, ...aliases, word.toUpperCase()]) {
        for (const each of samples) {
          const search = `${name}:${each}`
          expect({ search, ...parseSearch(search) }).toMatchObject({ search, parts: [{}], problems: [] })
        }
      }
    }
  })

  it('accepts the suggestions that are shown before scripts run', () => {
    for (const text of startingTexts.filter((each) => each.endsWith(':')))
      expect({ text, word: findSearchWord(text.slice(0, -1)) }).toMatchObject({ text, word: {} })
    for (const text of startingTexts.filter((each) => !each.endsWith(':')))
      expect({ text, ...parseSearch(text) }).toMatchObject({ text, parts: [{}], problems: [] })
  })

  it.each(unsupportedSentryWords)('rejects %s by name and reports how to search that tag', (word) => {
    expect(problemOf(`${word}:x`)?.message).toContain(`"${word}" finds nothing`)
    expect(parseSearch(`tags[${word}]:x`).problems).toEqual([])
  })
})

describe('the parts of a search', () => {
  it.each([
    ['a b', '(a & b)'],
    ['a AND b', '(a & b)'],
    ['a OR b', '(a | b)'],
    ['a b OR c AND d', '((a & b) | (c & d))'],
    ['a (b OR c) d', '(a & (b | c) & d)'],
    ['(a OR b) OR c', '(a | b | c)'],
    ['!(a OR b)', '!(a | b)'],
    ['!(a b)', '!(a & b)'],
    ['!(!a)', 'a'],
    ['!a', '!a'],
    ['((a))', 'a'],
    ['(a)(b)', '(a & b)'],
    ['render(app.js)', 'render(app.js)'],
    ['(render(app.js) OR x)', '(render(app.js) | x)'],
    ['a or b', '(a & or & b)'],
    ['"OR" x', '(OR & x)'],
    ['ORACLE ANDY', '(ORACLE & ANDY)'],
    ['(is:resolved OR is:archived) a', '((resolved | archived) & a)'],
  ])('of %s are %s', (text, shown) => {
    expect(parseSearch(text).problems).toEqual([])
    expect(show(expressionOf(text))).toBe(shown)
  })

  it.each([
    ['a OR', 'OR', /needs a term on each side/, 'a'],
    ['OR a', 'OR', /needs a term on each side/, 'a'],
    ['a OR OR b', 'OR', /needs a term on each side/, '(a | b)'],
    ['AND a', 'AND', /needs a term on each side/, 'a'],
    ['a AND', 'AND', /needs a term on each side/, 'a'],
    ['a AND OR b', 'AND', /needs a term on each side/, '(a | b)'],
    ['(a OR b', '(', /Missing \)/, '(a | b)'],
    ['!(a', '!(', /Missing \)/, '!a'],
    ['() a', '()', /parentheses are empty/, 'a'],
    ['level:loud OR a', 'level:loud', /level accepts/, 'a'],
    ['(level:loud) OR a', 'level:loud', /level accepts/, 'a'],
    ['!(level:loud) a', 'level:loud', /level accepts/, 'a'],
    ['NOT a', 'NOT', /write ! before a term/, 'a'],
  ])('of %s: %s is a problem, the others are valid', (...[text, token, message, shown]) => {
    const problem = problemOf(text)
    expect(problem?.token).toBe(token)
    expect(problem?.message).toMatch(message)
    expect(show(expressionOf(text))).toBe(shown)
  })
})

describe('the words of a search', () => {
  it('include an assignee by name', () => {
    expect(conditionsOf('assigned:"Ada Lovelace"')).toEqual([
      { kind: 'assignee', assignees: [{ kind: 'name', name: 'Ada Lovelace' }] },
    ])
  })

  it('are of status, level, project and assignee', () => {
    expect(
      conditionsOf('is:unresolved is:regressed is:new level:[error, FATAL] project:Web,api project.id:7'),
    ).toEqual([
      { kind: 'status', statuses: ['unresolved'] },
      { kind: 'state', state: 'regressed' },
      { kind: 'seen', which: 'first', from: { agoMs: dayMs } },
      { kind: 'level', levels: ['error', 'fatal'] },
      { kind: 'project', by: 'slug', values: [value('web'), value('api')] },
      { kind: 'project', by: 'id', values: [value('7')] },
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

  it('are those of Sentry’s default search', () => {
    expect(show(expressionOf('is:unresolved issue.priority:[high, medium]'))).toBe('(unresolved & level)')
    expect(conditionsOf('issue.priority:[high, medium]')).toEqual([
      { kind: 'level', levels: ['fatal', 'error', 'warning'] },
    ])
    expect(conditionsOf('assigned_or_suggested:[me, my_teams, none]')).toEqual([
      { kind: 'assignee', assignees: [{ kind: 'me' }, { kind: 'none' }] },
    ])
  })

  it.each([
    ['error.unhandled:true', 'error.handled:false'],
    ['error.unhandled:1', 'tags[handled]:no'],
    ['error.handled:true', 'handled:yes'],
    ['!error.unhandled:true', 'error.unhandled:false'],
    ['has:assignee', 'is:assigned'],
    ['!has:assignee', '!is:assigned'],
    ['age:-24h', 'firstSeen:-24h'],
    ['first_seen:-24h', 'is:new'],
    ['times_seen:>5', 'timesSeen:>5'],
    ['http.url:*checkout', 'url:*checkout'],
    ['platform.name:node', 'platform:node'],
    ['issue.id:1234567', 'issue:1234567'],
    ['event.timestamp:-1h', 'timestamp:-1h'],
    ['status:ignored', 'is:archived'],
    ['is:muted', 'is:archived'],
    ['region:*', 'has:region'],
    ['region:""', '!has:region'],
    ['issue.category:feedback', 'event.type:feedback'],
    ['issue.category:cron', 'event.type:monitor'],
    ['issue.type:uptime', 'event.type:uptime'],
    ['issue.type:error', '!event.type:[feedback, monitor, uptime, performance]'],
    ['project.name:web', 'project:web'],
    ['first-release:web@1', 'firstRelease:web@1'],
  ])('%s and %s are the same', (one, other) => {
    expect(expressionOf(one)).toEqual(expressionOf(other))
    expect(parseSearch(`${one} ${other}`).problems).toEqual([])
  })

  it('are of tags: quoted, listed, with wildcards, negated', () => {
    expect(conditionsOf('browser.name:Firefox release:web@1.4* url:"a, \\"b\\" c"')).toEqual([
      tag('browser.name', value('Firefox')),
      tag('release', value('web@1.4', '')),
      tag('url', value('a, "b" c')),
    ])
    expect(conditionsOf('os:[iOS, "mac OS"] tags[is]:x has:region')).toEqual([
      tag('os', value('iOS'), value('mac OS')),
      tag('is', value('x')),
      tag('region', value('', '')),
    ])
    expect(conditionsOf('url:*check*out** region:"a*b" region:a\\*b')).toEqual([
      tag('url', value('', 'check', 'out', '')),
      tag('region', value('a*b')),
      tag('region', value('a*b')),
    ])
    expect(parseSearch('!region:eu').parts).toMatchObject([
      { start: 0, end: 10, expression: { kind: 'not' } },
    ])
  })

  it('include values of other tags', () => {
    expect(conditionsOf('os.version:17.*')).toEqual([tag('os', value('', ' 17.', ''))])
    expect(conditionsOf('release.package:web')).toEqual([tag('release', value('web@', ''))])
    expect(conditionsOf('release.build:52')).toEqual([tag('release', value('', '+52'))])
    expect(conditionsOf('release.version:1.4')).toEqual([
      tag('release', value('', '@1.4'), value('', '@1.4+', ''), value('1.4'), value('1.4+', '')),
    ])
    expect(conditionsOf('release.version:>=1.4.0-rc.1')).toEqual([
      { kind: 'version', comparison: '>=', version: '1.4.0-rc.1' },
    ])
  })

  it('are of traits, which may be tags', () => {
    expect(show(expressionOf('stack.function:handle*'))).toBe('(trait | tag)')
    expect(conditionsOf('error.type:TypeError')[0]).toEqual({
      kind: 'trait',
      key: 'error.type',
      values: [value('TypeError')],
    })
  })

  it('are of feature flags', () => {
    expect(conditionsOf('flags["new-checkout"]:true flags[a.b]:v* has:flags["x"] has:flags[x]')).toEqual([
      flagTrait('new-checkout:true'),
      flagTrait('a.b:v', ''),
      flagTrait('x:', ''),
      flagTrait('x:', ''),
    ])
    expect(conditionsOf('flags["x"]:[on, off]')).toEqual([
      { kind: 'trait', key: 'flags', values: [{ pieces: ['x:on'] }, { pieces: ['x:off'] }] },
    ])
    expect(show(expressionOf('!flags["x"]:true has:flags flags["x"]:""'))).toBe(
      '(!trait & (trait | tag) & !trait)',
    )
  })

  it('are of numbers, times and ids', () => {
    expect(conditionsOf('timesSeen:>100 users:<=5 timesSeen:1k')).toEqual([
      { kind: 'count', of: 'events', min: 101 },
      { kind: 'count', of: 'users', max: 5 },
      { kind: 'count', of: 'events', min: 1_000, max: 1_000 },
    ])
    const day = Date.UTC(2026, 10, 1)
    expect(
      conditionsOf(
        'firstSeen:-24h lastSeen:+2w timestamp:2026-11-01 firstSeen:>2026-11-01T12:30 lastSeen:<2026-11-01T02:00:00.5+02:00',
      ),
    ).toEqual([
      { kind: 'seen', which: 'first', from: { agoMs: dayMs } },
      { kind: 'seen', which: 'last', to: { agoMs: 14 * dayMs } },
      { kind: 'happened', from: { at: day }, to: { at: day + dayMs } },
      { kind: 'seen', which: 'first', from: { at: day + 12.5 * hourMs + 1 } },
      { kind: 'seen', which: 'last', to: { at: day + 500 } },
    ])
    expect(
      conditionsOf('lastSeen:>2026-11-01 lastSeen:>=2026-11-01 lastSeen:<=2026-11-01 lastSeen:<2026-11-01'),
    ).toEqual([
      { kind: 'seen', which: 'last', from: { at: day + 1 } },
      { kind: 'seen', which: 'last', from: { at: day } },
      { kind: 'seen', which: 'last', to: { at: day + 1 } },
      { kind: 'seen', which: 'last', to: { at: day } },
    ])
    const hex = 'ab12'.repeat(8)
    expect(conditionsOf(`id:${hex.toUpperCase()} trace:[${hex}] issue:[WEB-1A, 123456789012]`)).toEqual([
      { kind: 'event', by: 'id', ids: [hex] },
      { kind: 'event', by: 'trace', ids: [hex] },
      { kind: 'issue', issues: [{ slug: 'web', number: 46 }, { id: 123_456_789_012 }] },
    ])
  })

  it('that are not search terms are reported as tags', () => {
    const { tagKeys } = parseSearch(
      'customer:acme os.version:17 error.unhandled:1 tags[x]:y TypeError: has:z customer:b',
    )
    expect(tagKeys).toEqual(['customer'])
  })

  it('are unquoted or quoted words', () => {
    expect(conditionsOf('timeout "is not a" *time*out* title:TypeError')).toMatchObject([
      { kind: 'text', value: value('timeout'), isPhrase: false },
      { kind: 'text', value: value('is not a'), isPhrase: true },
      { kind: 'text', value: value('', 'time', 'out', '') },
      { kind: 'text', value: value('TypeError'), in: ['title', 'value'] },
    ])
    expect(conditionsOf('alph*')).toMatchObject([{ value: value('alph') }])
  })

  it('are plain text when a title or an address was pasted', () => {
    expect(conditionsOf('TypeError: boom')).toMatchObject([
      { value: value('TypeError') },
      { value: value('boom') },
    ])
    expect(conditionsOf('https://example.com/a')).toMatchObject([{ value: value('https://example.com/a') }])
  })
})
