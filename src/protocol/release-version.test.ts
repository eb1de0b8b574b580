import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOfBuilds, hasNamedBuild, orderOfBuilds, parseReleaseVersion } from './release-version.ts'

const orderOf = (name: string) => parseReleaseVersion(name).order

/** Expects strictly ascending order. */
function expectRising(names: string[]) {
  const orders = names.map((name) => orderOf(name) ?? '')
  expect(orders).not.toContain('')
  expect(orders.toSorted()).toEqual(orders)
  expect(new Set(orders).size).toBe(names.length)
}

describe('the name of a release', () => {
  it('has a package before its last @', () => {
    expect(parseReleaseVersion('shop@1.2.3')).toMatchObject({ package: 'shop', version: '1.2.3' })
    expect(parseReleaseVersion('@acme/shop@1.2.3')).toMatchObject({ package: '@acme/shop', version: '1.2.3' })
    expect(parseReleaseVersion('1.2.3')).toMatchObject({ package: '', version: '1.2.3' })
    expect(parseReleaseVersion('@1.2.3')).toMatchObject({ package: '', version: '1.2.3' })
  })

  it('sorts like the example of Semantic Versioning', () => {
    const stages = ['alpha', 'alpha.1', 'alpha.beta', 'beta', 'beta.2', 'beta.11', 'rc.1']
    expectRising([...stages.map((stage) => `a@1.0.0-${stage}`), 'a@1.0.0'])
  })

  it('sorts by numbers, not by digits', () => {
    expectRising(['0.9.0', '0.10.0', '1.0', '1.0.1', '1.0.9', '1.0.10', '1.9.0', '1.10.0', '2.0.0', '10.0.0'])
    expectRising(['1.0.0.1', '1.0.0.2', '1.0.0.10', '1.0.1'])
    expectRising(['web@1', 'web@2', 'web@10'])
    expectRising(['2026.11.9', '2026.11.21'])
  })

  it('counts builds', () => {
    expectRising(['1.4.0', '1.4.0+9', '1.4.0+51', '1.4.0+abc', '1.4.1-rc.1+3', '1.4.1'])
  })

  it('distinguishes builds with words from numbers', () => {
    const isNamed = (name: string) => hasNamedBuild(orderOf(name) ?? '')
    expect(['1.4.0+abc', '1.4.0+51.abc', '1.4.0-rc.1+1f'].map(isNamed)).toEqual([true, true, true])
    expect(['1.4.0', '1.4.0-rc.1', '1.4.0+51', '1.4.0-1b+5.1'].map(isNamed)).toEqual(Array(4).fill(false))
    const builds = orderOfBuilds(orderOf('1.4.0+abc') ?? '')
    expectRising(['1.4.0-rc.1+zz', '1.4.0', '1.4.0+zz.zz'])
    expect([builds, endOfBuilds(builds)]).toEqual([orderOf('1.4.0'), expect.stringMatching(/~$/)])
    expect((orderOf('1.4.0+zz') ?? '') < endOfBuilds(builds)).toBe(true)
    expect(endOfBuilds(builds) < (orderOf('1.4.0.1-a') ?? '')).toBe(true)
  })

  it('gives all builds with words one order', () => {
    expect(new Set(['web@1.4.0+f00ba11', '1.4+3e1c8b0', 'v1.4.0+52.abc'].map(orderOf)).size).toBe(1)
    expect(orderOf('1.4.0+f00ba11')).not.toBe(orderOf('1.4.1+f00ba11'))
  })

  it('recognizes the pre-release forms of Python and others', () => {
    expectRising(['v1.0a1', 'v1.0b1', '1.0rc1', 'v1.0'])
  })

  it('is the same version however it is written', () => {
    expect(orderOf('v1.2')).toBe(orderOf('web@1.2.0'))
    expect(orderOf('1.02.0')).toBe(orderOf('1.2.0'))
  })

  it.each([
    '3e1c8b0d9f',
    '1234567',
    '20261121',
    'main',
    '',
    'shop@',
    'shop@latest',
    '1.2.3.4.5',
    '1.2.',
    '1.2.3 ',
    '1.2.3-',
    '1.2.3+',
    '1..2',
    '-1.2',
    '1.2.3\n',
    '1e5',
    `1.${'9'.repeat(16)}`,
  ])('%j is not a version', (name) => {
    expect(orderOf(name)).toBeUndefined()
  })

  it('sorts any numbers as numbers', () => {
    const numbers = fc.tuple(fc.nat(), fc.nat(), fc.nat())
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const at = one.findIndex((number, index) => number !== other[index])
        const isLess = at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
        expect((orderOf(one.join('.')) ?? '') < (orderOf(other.join('.')) ?? '')).toBe(isLess)
      }),
    )
  })

  it('may be any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(parseReleaseVersion(name).order ?? '').toMatch(/^[ -~]*$/)
      }),
    )
  })
})
