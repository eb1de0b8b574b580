import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueryClient } from '#queries/query-client.ts'
import { type PageKind, queryTimes, routeTimes } from './page-kind.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const seconds = (count: number) => count * 1_000

describe.each<[PageKind, number]>([
  ['live', 30],
  ['settled', 300],
])('page data of the kind %s', (kind, freshSeconds) => {
  it(`is read from the cache for ${freshSeconds - 1} s and reloaded after ${freshSeconds + 1} s`, async () => {
    const queryClient = createQueryClient()
    let loads = 0
    const query = { queryKey: ['page'], queryFn: () => Promise.resolve(++loads), ...queryTimes(kind) }
    await queryClient.query(query)
    await vi.advanceTimersByTimeAsync(seconds(freshSeconds - 1))
    expect(await queryClient.query(query)).toBe(1)
    await vi.advanceTimersByTimeAsync(seconds(2))
    expect(await queryClient.query(query)).toBe(2)
    queryClient.clear()
  })

  it('ages alike in the router: loaded ahead, and accepted', () => {
    const { staleTime, preloadStaleTime } = routeTimes(kind)
    expect(staleTime).toBe(seconds(freshSeconds))
    expect(preloadStaleTime).toBe(staleTime)
  })
})
