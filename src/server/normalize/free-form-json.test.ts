import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { boundJson, createLargeBudget, createSmallBudget } from './free-form-json.ts'

function parse(text: string): Json {
  const holder: unknown = JSON.parse(`{"value":${text}}`)
  return isJsonObject(holder) ? (holder['value'] ?? null) : null
}

describe('boundJson', () => {
  it('returns a value within the bounds unchanged', () => {
    const value = { a: [1, 'x', { b: null }], c: true }
    expect(boundJson(value, createSmallBudget())).toBe(value)
  })

  it('cuts values that are too deep', () => {
    const budget = createLargeBudget()
    const bounded = JSON.stringify(boundJson(parse('['.repeat(6000) + ']'.repeat(6000)), budget))
    expect(bounded).toBe(`${'['.repeat(limits.jsonDepth)}"…"${']'.repeat(limits.jsonDepth)}`)
    expect(budget.isExceeded).toBe(true)
  })

  it('omits entries past the budget and keeps those before', () => {
    const value = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index]))
    const bounded = boundJson(value, createLargeBudget())
    expect(Object.keys(bounded ?? {})).toHaveLength(limits.jsonEntries)
    expect(bounded).toMatchObject({ k0: 0, k1: 1 })
  })

  it('does not change its argument', () => {
    const value = { a: 'x'.repeat(10_000), b: [{ c: 'a\0b' }] }
    const before = JSON.stringify(value)
    expect(boundJson(value, createLargeBudget())).toMatchObject({ b: [{ c: 'a\ufffdb' }] })
    expect(JSON.stringify(value)).toBe(before)
  })

  it('drops __proto__ keys and keeps other unusual ones', () => {
    const value = parse(
      '{"a":1,"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":1}',
    )
    const bounded = boundJson(value, createLargeBudget())
    expect(JSON.stringify(bounded)).toBe(
      '{"a":1,"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":1}',
    )
    expect(Object.getPrototypeOf(bounded)).toBe(Object.prototype)
  })

  it('replaces a number that JSON cannot represent by null', () => {
    expect(boundJson(parse('[1e999,-1e999,1]'), createSmallBudget())).toEqual([null, null, 1])
  })

  it('keeps any JSON within the budget', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 12, stringUnit: 'binary' }), (text) => {
        const budget = { entries: 20, characters: 100, isExceeded: false }
        const bounded = JSON.stringify(boundJson(parse(text), budget))
        // Each string that is truncated to nothing still has one character.
        expect(bounded.replaceAll(/\\.|\W/g, '').length).toBeLessThan(1000)
        expect(bounded.isWellFormed()).toBe(true)
      }),
    )
  })
})
