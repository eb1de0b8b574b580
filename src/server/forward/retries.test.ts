import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { QueuedEnvelope } from '#server/store/upstreams/outbox.ts'
import { Retries } from './retries.ts'

const queued = (number: number, category = 'error'): QueuedEnvelope => ({
  number,
  category,
  receivedAt: 0,
  byteCount: 1,
  clientAddress: null,
  userAgent: null,
  blockNumber: 1,
  blockOffset: 0,
})
const any = () => true

describe('delayed envelopes', () => {
  it('wait twice as long after each failure', () => {
    const retries = new Retries()
    const waits = Array.from({ length: 4 }, () => {
      retries.delay(queued(1), { nowMs: 0, random: 0.5 })
      return retries.findNextAtMs(0)
    })
    expect(waits).toEqual([500, 1_000, 2_000, 4_000])
  })

  it('are sent when they are due, oldest first, once each', () => {
    const retries = new Retries()
    retries.delay(queued(2), { nowMs: 0, random: 0.1 })
    retries.delay(queued(1), { nowMs: 0, random: 0.2 })
    retries.delay(queued(3), { nowMs: 0, random: 0.9 })
    expect(retries.takeDue(50, any)).toBeUndefined()
    expect([retries.takeDue(300, any)?.number, retries.takeDue(300, any)?.number]).toEqual([1, 2])
    expect(retries.takeDue(300, any)).toBeUndefined()
    expect(retries.findNextAtMs(300)).toBe(900)
    expect(retries.has(1)).toBe(true)
    retries.forget(1)
    expect(retries.has(1)).toBe(false)
  })

  it('remain delayed while their category is not allowed', () => {
    const retries = new Retries()
    retries.delay(queued(1, 'error'), { nowMs: 0, random: 0 })
    retries.delay(queued(2, 'session'), { nowMs: 0, random: 0 })
    expect(retries.takeDue(1, ({ category }) => category === 'session')?.number).toBe(2)
  })

  it('are bounded', () => {
    const retries = new Retries()
    for (let number = 0; number < limits.forwardRetriesWaiting; number += 1)
      retries.delay(queued(number), { nowMs: 0, random: 0.5 })
    expect([retries.hasRoomFor(0), retries.hasRoomFor(999)]).toEqual([true, false])
  })
})
