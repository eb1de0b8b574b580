import { describe, expect, it } from 'vitest'
import type { QueuedEnvelope } from '#server/store/upstreams/outbox.ts'
import { ReadAhead } from './read-ahead.ts'

function queued(number: number): QueuedEnvelope {
  const inBlock = { clientAddress: null, userAgent: null, blockNumber: null, blockOffset: null }
  return { number, category: 'error', receivedAt: 0, byteCount: 1, ...inBlock }
}

describe('reading ahead', () => {
  it('leaves out an envelope whose end was committed while the queue was read', async () => {
    const readAhead = new ReadAhead()
    const inFlight = new Set([1, 2])
    const read = async () => {
      // PostgreSQL answers with the rows as they were when the statement began.
      const rows = [queued(1), queued(2), queued(3)]
      inFlight.delete(1)
      readAhead.noteEnd(1)
      return rows
    }
    await readAhead.fill(read, ({ number }) => inFlight.has(number))
    expect(readAhead.take(() => 0)?.number).toBe(3)
    expect(readAhead.count).toBe(0)
  })

  it('keeps an envelope that is not in flight', async () => {
    const readAhead = new ReadAhead()
    await readAhead.fill(
      async () => [queued(1)],
      () => false,
    )
    expect(readAhead.take(() => 0)?.number).toBe(1)
  })

  it('is empty if it was cleared while the queue was read: a rate limit may have begun', async () => {
    const readAhead = new ReadAhead()
    const inFlight = new Set([1])
    const read = async () => {
      inFlight.delete(1)
      readAhead.clear()
      return [queued(1)]
    }
    await readAhead.fill(read, ({ number }) => inFlight.has(number))
    expect(readAhead.count).toBe(0)
  })
})
