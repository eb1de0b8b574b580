import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadTimeoutError, withLoadLimit } from './load-limit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function limited(
  load: (signal: AbortSignal) => Promise<string>,
  navigationStartedAt?: () => number | undefined,
) {
  const reader = new AbortController()
  const result = withLoadLimit(load, {
    limitMs: 3800,
    navigationStartedAt: navigationStartedAt ?? (() => undefined),
    now: () => Date.now(),
    signal: reader.signal,
  })
  const outcome = result.catch((thrown: unknown) => thrown)
  return { outcome, reader }
}

const hanging = (seen: { signal?: AbortSignal }) => (signal: AbortSignal) => {
  seen.signal = signal
  return new Promise<string>(() => {})
}

describe('the load limit', () => {
  it('resolves with the result of the load', async () => {
    await expect(limited(() => Promise.resolve('page')).outcome).resolves.toBe('page')
  })

  it('aborts a load that hangs at the limit, not before', async () => {
    const seen: { signal?: AbortSignal } = {}
    const { outcome } = limited(hanging(seen))
    await vi.advanceTimersByTimeAsync(3799)
    expect(seen.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.signal?.aborted).toBe(true)
    await expect(outcome).resolves.toBeInstanceOf(LoadTimeoutError)
  })

  it('allows a navigation that joins a running prefetch its own full time', async () => {
    const seen: { signal?: AbortSignal } = {}
    const click: { at?: number } = {}
    limited(hanging(seen), () => click.at)
    await vi.advanceTimersByTimeAsync(3000)
    click.at = Date.now()
    await vi.advanceTimersByTimeAsync(3799)
    expect(seen.signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.signal?.aborted).toBe(true)
  })

  it('aborts the load with the reason of its last reader', async () => {
    const seen: { signal?: AbortSignal } = {}
    const { outcome, reader } = limited(hanging(seen))
    reader.abort(new Error('superseded'))
    expect(seen.signal?.aborted).toBe(true)
    await expect(outcome).resolves.toMatchObject({ message: 'superseded' })
  })

  it('clears its timers', async () => {
    await limited(() => Promise.resolve('page')).outcome
    expect(vi.getTimerCount()).toBe(0)
  })
})
