import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { openKeptStore } from '#test/kept-store.ts'
import { doWithLease, takeLease } from './lease.ts'

describe('a lease', () => {
  it('is granted to one owner, again to the same one, and to others when it has expired or is in the future', async () => {
    const { store, setDaysAgo } = await openKeptStore()
    const take = (holder: string) => takeLease(store, 'work', holder)
    expect(await take('one')).toBe(true)
    expect(await take('one')).toBe(true)
    expect(await take('other')).toBe(false)
    setDaysAgo(-1)
    expect(await take('other')).toBe(true)
    // Back to the day before: a lease from the future must not block a process.
    setDaysAgo(0)
    expect(await take('one')).toBe(true)
  })

  it('is not lost to a process whose clock differs by less than its duration', async () => {
    const { store } = await openKeptStore()
    const late = { ...store, clock: () => store.clock() - limits.leaseMs + 1 }
    expect(await takeLease(store, 'work', 'one')).toBe(true)
    expect(await takeLease(late, 'work', 'other')).toBe(false)
    expect(await takeLease(store, 'work', 'one')).toBe(true)
  })

  it('excludes other owners during the work, and is released even when the work fails', async () => {
    const { store } = await openKeptStore()
    const taken: boolean[] = []
    const first = await doWithLease(store, 'work', async () => {
      taken.push(await takeLease(store, 'work', 'other'))
      taken.push((await doWithLease(store, 'work', () => Promise.resolve())).isDone)
      return 5
    })
    expect([first, taken]).toEqual([{ isDone: true, result: 5 }, [false, false]])
    await expect(doWithLease(store, 'work', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await takeLease(store, 'work', 'other')).toBe(true)
    expect(await doWithLease(store, 'work', () => Promise.resolve(5))).toEqual({ isDone: false })
  })
})
