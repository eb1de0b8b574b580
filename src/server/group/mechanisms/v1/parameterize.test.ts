import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { groupingText, normalizeMessage } from './message.ts'
import { parameterize } from './parameterize.ts'

interface Fixture {
  cases: { input: string; expected: string; soft?: boolean }[]
  pairs: { a: string; b: string; same: boolean; soft?: boolean }[]
}

const fixtureUrl = new URL('../../../../../test/fixtures/parameterization/cases.json', import.meta.url)
const fixture = JSON.parse(readFileSync(fixtureUrl, 'utf8')) as Fixture

/** Pieces that make some form start, go on and fail. */
const hostilePieces = [
  'a', '1', 'a.', '1.', '1:', '::', 'a:', '-', 'a-', '1-', '-1', '1/', '00-', "='", '="\'', '@', 'a@', 'a.a@', 'Mon ',
  'Nov ', '21 Nov ', '0x', '://', 'a://', 'GMT+0100 (', 'datetime.datetime(', ' ', '\n ', 'é', 'ab1', '1e', '1.5', 'G1',
  'utf-', 'aaaa:', 'fe80::', '1:1:1:1:1:1:1:1', 'a.com', 'tx', '2026-', '20261121T0304', '0.0.0.', 'a1b2c3d4-',
] // prettier-ignore

/** A linear pass over 8 kB takes 10 ms at worst; a quadratic one takes seconds. */
const hostileMessageMs = 150

/** True when one of three tries is fast: a busy machine does not count. */
function isFast(message: string): boolean {
  return [1, 2, 3].some(() => {
    const start = threadCpuMs()
    parameterize(message)
    return threadCpuMs() - start < hostileMessageMs
  })
}

describe('parameterize on hostile messages', () => {
  it.each(hostilePieces)('does not backtrack over 8 kB of %j', (piece) => {
    for (const unit of [piece, ` ${piece}`]) {
      const message = unit.repeat(Math.ceil(8192 / unit.length)).slice(0, 8192)
      expect(isFast(message)).toBe(true)
    }
  })

  it('does not backtrack over any mix of the pieces', () => {
    const message = fc.array(fc.constantFrom(...hostilePieces), { minLength: 500, maxLength: 2000 })
    fc.assert(
      fc.property(message, (pieces) => {
        expect(isFast(pieces.join('').slice(0, 8192))).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('reads at most 8,192 characters', () => {
    expect(normalizeMessage('x'.repeat(100_000))).toHaveLength(8192)
  })

  it('never throws and is deterministic', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(normalizeMessage(text)).toBe(normalizeMessage(text))
      }),
    )
  })
})

describe('normalizeMessage', () => {
  it.each(fixture.cases.map(({ input, expected }) => [input, expected]))('%j → %j', (input, expected) => {
    expect(normalizeMessage(input)).toBe(expected)
  })

  it.each([
    ['email=bob@acme.com', 'email=<email>'],
    ['com.acme.Job@1b2c3d4e failed', 'com.acme.Job@<hex> failed'],
    ['java.io.IOException: closed', 'java.io.IOException: closed'],
    ['this.props.id is undefined', 'this.props.id is undefined'],
    ['at main.js:10:30', 'at main.js:<int>:<int>'],
    ['took 1h30m', 'took <duration>'],
    ['from 01:23:45:67:89:ab', 'from <mac>'],
    ['id 01ARZ3NDEKTSV4RRFFQ69G5FAV', 'id <uniq_id>'],
    ['reverted 9af8c3b', 'reverted <git_sha>'],
    ['[2026-11-21 03:04:05,123] down', '[<date>] down'],
    ['[21/Nov/2026:03:04:05 +0000] GET', '[<date>] GET'],
    ['Nov 21 03:04:05 host', '<date> host'],
    ['Saturday, 21-Nov-26 03:04:05 GMT', '<date>'],
    ['datetime.datetime(2026, 11, 21, 3, 4)', '<date>'],
    ['::ffff:10.0.0.1 left', '<ip> left'],
    ['job-42 and step_7', 'job-<int> and step_7'],
    ['1e5 of 1.5e-7', '<float> of <float>'],
  ])('%j → %j', (input, expected) => {
    expect(normalizeMessage(input)).toBe(expected)
  })

  it('ignores differences of line breaks', () => {
    expect(normalizeMessage('a\r\nb\r\n')).toBe(normalizeMessage('\na\n\nb'))
  })
})

describe('groupingText', () => {
  it.each(fixture.pairs.map(({ a, b, same }) => [a, b, same] as const))(
    '%j and %j alike: %j',
    (left, right, same) => {
      expect(groupingText(left) === groupingText(right)).toBe(same)
    },
  )
})
