import { describe, expect, it } from 'vitest'
import { crashesOf, findRateChange, rateWord } from './crash-free-rates.ts'

const of = (crashed: number, whole = 10_000) => ({ crashed, whole })

describe('a crash-free rate', () => {
  it.each([
    [of(0), undefined],
    [of(100), undefined],
    [of(101), 'low'],
    [of(500), 'low'],
    [of(501), 'very low'],
    [of(9, 5), 'very low'],
    [of(0, 0), undefined],
  ])('of %j is %s', (crashes, word) => {
    expect(rateWord(crashes)).toBe(word)
  })

  it.each([
    [of(6100), of(180), { isUp: false, points: '59.2' }],
    [of(0), of(42), { isUp: true, points: '0.42' }],
    [of(0), of(0), undefined],
    [of(1, 1_000_000), of(0), undefined],
    [of(1), of(0, 0), undefined],
    [of(0, 0), of(1), undefined],
  ])('%j compared with %j changes by %j', (now, before, change) => {
    expect(findRateChange(now, before)).toEqual(change)
  })

  it('is one of sessions or of users', () => {
    const counts = { sessionCount: 4, crashedCount: 3, userCount: 2, crashedUserCount: 1 }
    expect(crashesOf('sessions', counts)).toEqual(of(3, 4))
    expect(crashesOf('users', counts)).toEqual(of(1, 2))
  })
})
