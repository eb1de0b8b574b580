import { describe, expect, it } from 'vitest'
import { createRecentMap } from './recent-map.ts'

describe('a map of recent values', () => {
  it('forgets what was not asked for longest, and never holds more than it may', () => {
    const map = createRecentMap<{ key: string }>(2)
    const make = (key: string) => map.get(key, () => ({ key }))
    const [first, second] = [make('a'), make('b')]
    expect(make('a')).toBe(first)
    make('c')
    expect(map.size).toBe(2)
    expect(make('a')).toBe(first)
    expect(make('b')).not.toBe(second)
  })
})
