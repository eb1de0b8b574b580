import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { compileGlobs } from './glob.ts'

function matches(pattern: string, text: string): boolean {
  return compileGlobs([pattern]).matches(text)
}

describe('compileGlobs', () => {
  it('matches patterns with exponential backtracking quickly', () => {
    const text = 'a'.repeat(1000)
    const hostile = [
      `${'*a'.repeat(100)}*b`,
      `${'*?'.repeat(100)}*b`,
      '{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}*[b]',
      `${'{a,*}'.repeat(60)}[b]`,
      `${'*'.repeat(1000)}[b]`,
    ]
    const startedAt = threadCpuMs()
    for (const pattern of hostile) expect(matches(pattern, text)).toBe(false)
    expect(threadCpuMs() - startedAt).toBeLessThan(3000)
  })

  it('does not run out of stack for deep nesting', () => {
    const depth = 50_000
    expect(matches(`${'{'.repeat(depth)}a${'}'.repeat(depth)}`, 'a')).toBe(true)
    expect(matches('{'.repeat(depth), '{'.repeat(depth))).toBe(true)
  })

  it('matches nothing for an empty pattern or no pattern', () => {
    expect(matches('', '')).toBe(false)
    expect(matches('', 'text')).toBe(false)
    expect(compileGlobs([]).matches('')).toBe(false)
  })

  it('matches the whole text, ignoring case', () => {
    expect(matches('TypeError', 'typeerror')).toBe(true)
    expect(matches('ÄRGER*', 'ärger: nein')).toBe(true)
    expect(matches('error', 'an error')).toBe(false)
    expect(matches('error', 'errors')).toBe(false)
  })

  it('matches any text with *, including slashes and line breaks', () => {
    expect(matches('*', '')).toBe(true)
    expect(matches('Loading chunk *', 'Loading chunk 3662 failed.\n(error: https://x.test/a.js)')).toBe(true)
    expect(matches('1.2.*', '1.2.3')).toBe(true)
    expect(matches('1.2.*', '1.3.2.')).toBe(false)
  })

  it('matches one character with ?, including one outside the basic plane', () => {
    expect(matches('a?c', 'abc')).toBe(true)
    expect(matches('a?c', 'ac')).toBe(false)
    expect(matches('?', '🚰')).toBe(true)
    expect(matches('??', '🚰')).toBe(false)
  })

  it('reads classes, negated ones and ranges', () => {
    expect(matches('*[/-]live', 'abc/live')).toBe(true)
    expect(matches('*[/-]live', 'abc-LIVE')).toBe(true)
    expect(matches('*[/-]live', 'olive')).toBe(false)
    expect(matches('v[0-9]', 'v7')).toBe(true)
    expect(matches('v[!0-9]', 'v7')).toBe(false)
    expect(matches('v[^0-9]', 'vx')).toBe(true)
    expect(matches('[]]', ']')).toBe(true)
  })

  it('reads alternatives, nested and empty ones', () => {
    expect(matches('invariant={418,419}*', 'invariant=419&x')).toBe(true)
    expect(matches('invariant={418,419}*', 'invariant=420')).toBe(false)
    expect(matches('{a,b{c,d}}e', 'bde')).toBe(true)
    expect(matches('{a,b{c,d}}e', 'be')).toBe(false)
    expect(matches('x{,y}', 'x')).toBe(true)
    expect(matches('x{}', 'x')).toBe(true)
    expect(matches('{*.a,b?}', 'zz.a')).toBe(true)
  })

  it('matches escaped and unclosed characters literally', () => {
    expect(matches('\\*', '*')).toBe(true)
    expect(matches('\\*', 'x')).toBe(false)
    expect(matches('a[0', 'a[0')).toBe(true)
    expect(matches('{a,b', '{a,b')).toBe(true)
    expect(matches('a}', 'a}')).toBe(true)
    expect(matches('a,b', 'a,b')).toBe(true)
    expect(matches('end\\', 'end\\')).toBe(true)
  })

  it('agrees with a naive matcher on all small inputs', () => {
    const pattern = fc.array(
      fc.constantFrom('a', 'b', 'c', '*', '?', '{a,bc}', '{,b*}', '[ab]', '[!a]', '{a,{b,?c}}', '{c,*}'),
      {
        maxLength: 6,
      },
    )
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 })
    fc.assert(
      fc.property(pattern, text, (parts, input) => {
        const joined = parts.join('')
        expect(matches(joined, input)).toBe(joined !== '' && naivelyMatches(parts, input))
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws, for any pattern and text', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '*', '?', '{', '}', ',', '[', ']', '!', '-', '\\', '🚰'),
          maxLength: 20,
        }),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
        (anyPattern, input) => typeof matches(anyPattern, input) === 'boolean',
      ),
    )
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (a, b) => matches(a, b) || true,
      ),
    )
  })
})

/** All texts of up to 8 characters that a part can match, by brute force: slow and simple. */
function naivelyMatches(parts: readonly string[], text: string): boolean {
  const [part, ...rest] = parts
  if (part === undefined) return text === ''
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length)
  return lengths.some(
    (length) => partMatches(part, text.slice(0, length)) && naivelyMatches(rest, text.slice(length)),
  )
}

function partMatches(part: string, text: string): boolean {
  switch (part) {
    case '*':
    case '{c,*}':
      return true
    case '?':
      return text.length === 1
    case '{a,bc}':
      return text === 'a' || text === 'bc'
    case '{,b*}':
      return text === '' || text.startsWith('b')
    case '[ab]':
      return text === 'a' || text === 'b'
    case '[!a]':
      return text.length === 1 && text !== 'a'
    case '{a,{b,?c}}':
      return text === 'a' || text === 'b' || (text.length === 2 && text.endsWith('c'))
    default:
      return text === part
  }
}
