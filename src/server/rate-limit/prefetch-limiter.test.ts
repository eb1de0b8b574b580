import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { createPrefetchLimiter } from './prefetch-limiter.ts'

/** Requests that are served until `end` is called. */
function openRequests() {
  const waited = Promise.withResolvers<void>()
  const limiter = createPrefetchLimiter({ delay: () => waited.promise, nextTick: () => nextTick() })
  const ends: (() => void)[] = []
  const request = () =>
    limiter.run(() => {
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      return promise
    })
  return { limiter, request, ends, endWait: waited.resolve }
}

const { prefetchesAtOnce } = limits

describe('prefetches', () => {
  it('are served a few at a time, the oldest first', async () => {
    const { request, ends } = openRequests()
    const requests = Array.from({ length: prefetchesAtOnce + 2 }, request)
    await vi.waitFor(() => expect(ends).toHaveLength(prefetchesAtOnce))
    for (const [at, served] of requests.entries()) {
      ends[at]?.()
      await served
      await vi.waitFor(() => expect(ends).toHaveLength(Math.min(prefetchesAtOnce + 1 + at, requests.length)))
    }
  })

  it('do not wait longer than the limit for those that are served', async () => {
    const { request, ends, endWait } = openRequests()
    for (let count = 0; count <= prefetchesAtOnce; count += 1) void request()
    await vi.waitFor(() => expect(ends).toHaveLength(prefetchesAtOnce))
    endWait()
    await vi.waitFor(() => expect(ends).toHaveLength(prefetchesAtOnce + 1))
  })

  it('give their turn to the next one when they fail', async () => {
    const { limiter, request, ends } = openRequests()
    const failing = Array.from({ length: prefetchesAtOnce }, () =>
      limiter.run(() => Promise.reject(new Error('broken'))),
    )
    void request()
    const results = await Promise.allSettled(failing)
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    await vi.waitFor(() => expect(ends).toHaveLength(1))
  })
})
