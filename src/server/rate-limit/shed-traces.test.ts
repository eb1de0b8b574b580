import { describe, expect, it } from 'vitest'
import { formatRateLimits } from '#protocol/rate-limits.ts'
import { shedRateLimits, shedTraces } from './shed-traces.ts'

const itemOf = (type: string, header = {}) => ({
  type,
  header: { type, ...header },
  payload: Buffer.from('{"items":[{},{},{}]}'),
})

describe('traces under overload', () => {
  it('are left out of an envelope and counted, and nothing else', () => {
    const event = itemOf('event')
    const session = itemOf('session')
    const { kept, shed } = shedTraces([
      itemOf('transaction'),
      event,
      itemOf('span', { item_count: 3 }),
      session,
    ])
    expect(kept).toEqual([event, session])
    expect(shed).toEqual([
      { category: 'transaction', quantity: 1, reason: 'overload' },
      { category: 'span', quantity: 3, reason: 'overload' },
    ])
  })

  it('are advertised as limited for a minute, with no other category', () => {
    expect(formatRateLimits(shedRateLimits)).toBe(
      '60:transaction:organization:overload, 60:span:organization:overload',
    )
  })
})
