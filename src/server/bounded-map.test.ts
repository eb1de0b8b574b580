import { describe, expect, it } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

describe('a bounded map', () => {
  it('deletes the least recently used entry when it is full', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    expect(map.get('a')).toBe(1)
    map.set('c', 3)
    expect([...map]).toEqual([
      ['a', 1],
      ['c', 3],
    ])
    expect(map.get('b')).toBeUndefined()
    expect(map.size).toBe(2)
  })

  it('creates a value once, including undefined', () => {
    const map = new BoundedMap<string, number | undefined>(2)
    const created: string[] = []
    const read = (key: string) =>
      map.getOrCreate(key, () => {
        created.push(key)
        return key === 'a' ? undefined : 1
      })
    expect([read('a'), read('a'), read('b'), read('a'), read('c'), read('b')]).toEqual([
      undefined,
      undefined,
      1,
      undefined,
      1,
      1,
    ])
    expect(created).toEqual(['a', 'b', 'c', 'b'])
  })

  it('bounds the sum of the weights, and keeps the latest entry at any weight', () => {
    const map = new BoundedMap<string, string>(10, (value) => value.length)
    map.set('a', '1234')
    map.set('b', '1234')
    map.set('a', '123456')
    expect(map.weight).toBe(10)
    map.set('c', '1')
    expect([...map].map(([key]) => key)).toEqual(['a', 'c'])
    map.set('d', '12345678901234')
    expect([...map].map(([key]) => key)).toEqual(['d'])
    expect(map.weight).toBe(14)
    map.set('e', '1')
    expect([...map].map(([key]) => key)).toEqual(['e'])
  })

  it('keeps its order when entries are deleted from the ends and the middle', () => {
    const map = new BoundedMap<number, number>(5)
    for (const key of [1, 2, 3, 4, 5]) map.set(key, key)
    for (const key of [3, 1, 5, 9]) map.delete(key)
    map.get(2)
    expect([...map].map(([key]) => key)).toEqual([4, 2])
    map.clear()
    expect([map.size, map.weight, [...map].length]).toEqual([0, 0, 0])
    map.set(7, 7)
    expect([...map]).toEqual([[7, 7]])
  })

  it('agrees with a map sorted by last use, over many random steps', () => {
    const map = new BoundedMap<number, number>(8)
    const model = new Map<number, number>()
    const differences: number[] = []
    let seed = 1
    for (let step = 0; step < 5000; step++) {
      seed = (seed * 48_271) % 2_147_483_647
      const key = seed % 13
      if (step % 3 === 0) {
        model.delete(key)
        model.set(key, step)
        map.set(key, step)
        const [first] = model.keys()
        if (model.size > 8 && first !== undefined) model.delete(first)
      } else if (step % 17 === 1) {
        model.delete(key)
        map.delete(key)
      } else {
        const known = model.get(key)
        if (map.get(key) !== known) differences.push(key)
        if (known !== undefined) {
          model.delete(key)
          model.set(key, known)
        }
      }
      if (map.size !== model.size) differences.push(key)
    }
    expect(differences).toEqual([])
    expect([...map]).toEqual([...model])
  })
})
