import { describe, expect, it } from 'vitest'
import { findSampleRate } from './trace-state.ts'

describe('the sample rate in a tracestate', () => {
  it.each([
    ['ot=th:0', 1],
    ['ot=th:8', 0.5],
    ['ot=th:c', 0.25],
    ['ot=th:fd70a4', 1 - 0xfd_70_a4 / 2 ** 24],
    ['vendor=x,ot=rv:abcdef01234567;th:e;x:y, other=z', 0.125],
    ['ot=th:ffffffffffffff', 2 ** -52],
  ])('of %s is %d', (traceState, rate) => {
    expect(findSampleRate(traceState)).toBe(rate)
  })

  it.each([
    '',
    'ot=',
    'ot=rv:1',
    'ot=th:',
    'ot=th:xyz',
    'ot=th:8z',
    'ot=th:123456789012345',
    'not=th:8',
    'ot=oth:8',
  ])('is missing in %o', (traceState) => {
    expect(findSampleRate(traceState)).toBeUndefined()
  })

  it.each([undefined, null, 7, ['ot=th:8']])('is missing in %o, which is not a text', (traceState) => {
    expect(findSampleRate(traceState)).toBeUndefined()
  })

  it('is searched in constant time in a long text', () => {
    const started = process.cpuUsage().user
    for (const part of ['ot=', 'ot=;', ',', ';', 'th:', ',ot=th:']) findSampleRate(part.repeat(50_000))
    expect(process.cpuUsage().user - started).toBeLessThan(1_000_000)
  })
})
