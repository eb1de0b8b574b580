import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createServerClock } from './server-clock.ts'

const halfHour = 1_800_000

/** A server whose clock and latency a test sets. */
function openClock() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const server = { aheadMs: 0, answersAfterMs: 2, isReachable: true }
  const query = async () => {
    if (!server.isReachable) throw new Error('connection refused')
    await new Promise((resolve) => setTimeout(resolve, server.answersAfterMs / 2))
    const now = Date.now() + server.aheadMs
    await new Promise((resolve) => setTimeout(resolve, server.answersAfterMs / 2))
    return { rows: [{ now }] }
  }
  const pool = { query } as unknown as Parameters<typeof createServerClock>[0]
  const clock = createServerClock(pool, { offsetMs: Date.now() - performance.now(), tookMs: 1 })
  onTestFinished(() => clock.stop())
  return { server, ahead: () => Math.round((clock.now() - Date.now()) / 10) * 10 }
}

describe('the clock of the server', () => {
  it('follows the clock of the server, without the latency of the network', async () => {
    const { server, ahead } = openClock()
    expect(ahead()).toBe(0)
    server.aheadMs = halfHour
    await vi.advanceTimersByTimeAsync(11_000)
    expect(ahead()).toBe(halfHour)
    server.aheadMs = halfHour + 50
    await vi.advanceTimersByTimeAsync(20_000)
    expect(ahead()).toBe(halfHour)
    server.aheadMs = -halfHour
    await vi.advanceTimersByTimeAsync(20_000)
    expect(ahead()).toBe(-halfHour)
  })

  it('advances while the server does not answer, and uses slow answers as far as they are exact', async () => {
    const { server, ahead } = openClock()
    server.aheadMs = 2_000
    server.answersAfterMs = 5_000
    await vi.advanceTimersByTimeAsync(60_000)
    expect(ahead()).toBe(0)
    server.aheadMs = halfHour
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Math.abs(ahead() - halfHour)).toBeLessThanOrEqual(2_500)
    server.aheadMs = 0
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Math.abs(ahead())).toBeLessThanOrEqual(2_500)
    server.isReachable = false
    // The query that was sent before.
    await vi.advanceTimersByTimeAsync(server.answersAfterMs)
    server.aheadMs = halfHour
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Math.abs(ahead())).toBeLessThanOrEqual(2_500)
    Object.assign(server, { isReachable: true, answersAfterMs: 2 })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(ahead()).toBe(halfHour)
  })
})
