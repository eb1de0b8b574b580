import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { createPrefetchLimiter } from './prefetch-limiter.ts'

/** Requests that are served until their function in `ends` is called. `endWait` ends the oldest wait. */
function openRequests() {
  const waits: (() => void)[] = []
  const delay = () => new Promise<void>((resolve) => void waits.push(resolve))
  const limiter = createPrefetchLimiter({ delay, nextTick: () => nextTick() })
  const ends: (() => void)[] = []
  const request = () =>
    limiter.run(() => {
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.push(resolve)
      return promise
    })
  return { limiter, request, ends, endWait: () => waits.shift()?.() }
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

  it('that are served because of the limit delay later ones like any other', async () => {
    const { request, ends, endWait } = openRequests()
    const [first, second] = Array.from({ length: prefetchesAtOnce + 1 }, request)
    endWait()
    await vi.waitFor(() => expect(ends).toHaveLength(prefetchesAtOnce + 1))
    ends[0]?.()
    await first
    void request()
    for (let ticks = 0; ticks < 5; ticks += 1) await nextTick()
    expect(ends).toHaveLength(prefetchesAtOnce + 1)
    ends[1]?.()
    await second
    await vi.waitFor(() => expect(ends).toHaveLength(prefetchesAtOnce + 2))
  })

  it('let the next one be served when they fail', async () => {
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
