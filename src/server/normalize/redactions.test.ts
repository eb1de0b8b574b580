import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { readRedactions } from './redactions.ts'

describe('the redactions of an event', () => {
  it('are read from _meta in the order of the payload, each rule of a path once', () => {
    const meta = {
      extra: {
        password: { '': { rem: [['@password:filter', 's', 0, 10]], len: 7 } },
        list: {
          0: {
            '': {
              rem: [
                ['@email:replace', 's', 0, 7],
                ['@email:replace', 's', 8, 15],
                ['custom', 'm'],
              ],
            },
          },
        },
      },
      user: { ip_address: { '': { rem: [['@anything:remove', 'x']] } } },
    }
    expect(readRedactions(meta)).toEqual([
      { field: 'extra.password', rules: ['@password:filter'] },
      { field: 'extra.list.0', rules: ['@email:replace', 'custom'] },
      { field: 'user.ip_address', rules: ['@anything:remove'] },
    ])
  })

  it.each<[string, Json | undefined]>([
    ['nothing', undefined],
    ['an array', [1]],
    ['a value that was only truncated', { message: { '': { rem: [['!limit', 'x', 1, 4]], len: 9000 } } }],
    [
      'odd remarks',
      { message: { '': { rem: [[], ['', 's'], [5], 'x', null] } }, a: { '': { rem: 'x' } }, b: { '': [] } },
    ],
  ])('are empty for %s', (_name, meta) => {
    expect(readRedactions(meta)).toEqual([])
  })

  it('are read from a node of any width', () => {
    const children = Array.from({ length: 200_000 }, (_, index): [string, JsonObject] => [`${index}x`, {}])
    const last = { '': { rem: [['@password:filter', 's']] } }
    expect(readRedactions(Object.fromEntries([...children, ['last', last]]))).toEqual([
      { field: 'last', rules: ['@password:filter'] },
    ])
  })

  it('are bounded in number and depth', () => {
    let deep: JsonObject = { '': { rem: [['x', 's']] } }
    for (let level = 0; level < 50_000; level += 1) deep = { a: deep }
    expect(readRedactions(deep)[0]?.field.length).toBeLessThanOrEqual(limits.redactionPathCharacters)
    const wide = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`f${n}`, { '': { rem: [['x', 's']] } }]),
    )
    expect(readRedactions(wide)).toHaveLength(limits.redactions)
  })
})
