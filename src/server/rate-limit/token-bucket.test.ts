import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createTokenBucket, findWaitMs, giveTokensBack, remainingWaitMs, takeTokens } from './token-bucket.ts'

const anyLimit = fc.record({
  quantity: fc.integer({ min: 0, max: 1_000 }),
  windowSeconds: fc.integer({ min: 1, max: 86_400 }),
})

const anyStep = fc.record({
  // Also backwards, as when a clock is set.
  passedMs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: -1_000_000, max: 1_000_000 })),
  quantity: fc.integer({ min: 1, max: 50 }),
})

describe('a token bucket', () => {
  it('never grants more than a full bucket and its refill', () => {
    fc.assert(
      fc.property(anyLimit, fc.array(anyStep, { maxLength: 200 }), (limit, steps) => {
        const bucket = createTokenBucket(limit, 0)
        let now = 0
        let latest = 0
        let taken = 0
        for (const { passedMs, quantity } of steps) {
          now += passedMs
          latest = Math.max(latest, now)
          if (findWaitMs(bucket, Math.min(quantity, limit.quantity), now) === 0) {
            takeTokens(bucket, Math.min(quantity, limit.quantity))
            taken += Math.min(quantity, limit.quantity)
          }
          const gained = (latest * limit.quantity) / (limit.windowSeconds * 1000)
          expect(taken).toBeLessThanOrEqual(limit.quantity + gained + 1e-6)
        }
      }),
    )
  })

  it('reports the exact wait: no tokens before it ends, enough after it', () => {
    fc.assert(
      fc.property(anyLimit, fc.integer({ min: 1, max: 100 }), fc.nat(1_000), (limit, quantity, start) => {
        fc.pre(quantity <= limit.quantity)
        const bucket = createTokenBucket(limit, start)
        while (findWaitMs(bucket, quantity, start) === 0) takeTokens(bucket, quantity)
        const waitMs = findWaitMs(bucket, 1, start)
        expect(waitMs % 1000).toBe(0)
        expect(findWaitMs(bucket, 1, start + waitMs - 1)).toBe(1)
        expect(remainingWaitMs(bucket, start + waitMs - 1)).toBe(1)
        const isCapped = waitMs === limits.rateLimitRetrySeconds * 1000
        const waitAfterwardsMs = findWaitMs(bucket, quantity, start + waitMs)
        expect(isCapped || waitAfterwardsMs === 0).toBe(true)
      }),
    )
  })

  it('has the requested tokens at the end of the wait, although refills are rounded', () => {
    const bucket = createTokenBucket({ quantity: 8, windowSeconds: 16 }, 0)
    takeTokens(bucket, 6)
    expect(findWaitMs(bucket, 6, 0)).toBe(8_000)
    expect(findWaitMs(bucket, 6, 7_999)).toBe(1)
    expect(findWaitMs(bucket, 6, 8_000)).toBe(0)
  })

  it('grants its rate over a long period of constant requests', () => {
    const bucket = createTokenBucket({ quantity: 60, windowSeconds: 60 }, 0)
    let taken = 0
    for (let now = 0; now < 600_000; now += 100) {
      if (findWaitMs(bucket, 1, now) > 0) continue
      takeTokens(bucket, 1)
      taken += 1
    }
    expect(taken).toBeGreaterThan(60 + 580)
    expect(taken).toBeLessThanOrEqual(60 + 600)
  })

  it('does not refill while the clock is behind, and continues when the clock has caught up', () => {
    const bucket = createTokenBucket({ quantity: 10, windowSeconds: 10 }, 100_000)
    takeTokens(bucket, 10)
    const waitMs = findWaitMs(bucket, 1, 100_000)
    expect(findWaitMs(bucket, 1, 50_000)).toBe(waitMs)
    expect(remainingWaitMs(bucket, 50_000)).toBe(waitMs)
    expect(findWaitMs(bucket, 1, 100_000 + waitMs)).toBe(0)
  })

  it('of zero tokens reports a wait of a minute each time', () => {
    const bucket = createTokenBucket({ quantity: 0, windowSeconds: 1 }, 0)
    expect(findWaitMs(bucket, 1, 0)).toBe(60_000)
    expect(findWaitMs(bucket, 1, 60_000)).toBe(60_000)
  })

  it('never exceeds its size by returned tokens', () => {
    const bucket = createTokenBucket({ quantity: 5, windowSeconds: 60 }, 0)
    takeTokens(bucket, 1)
    giveTokensBack(bucket, 100, 100)
    takeTokens(bucket, 1)
    expect(findWaitMs(bucket, 5, 0)).toBeGreaterThan(0)
  })

  it('grants a quantity larger than itself when full, and counts it', () => {
    const bucket = createTokenBucket({ quantity: 10, windowSeconds: 10 }, 0)
    expect(findWaitMs(bucket, 25, 0)).toBe(0)
    takeTokens(bucket, 25)
    expect(findWaitMs(bucket, 1, 0)).toBe(16_000)
    giveTokensBack(bucket, 25, 25)
    expect(findWaitMs(bucket, 10, 16_000)).toBe(0)
  })

  it('is empty for five minutes at most after a quantity larger than itself', () => {
    fc.assert(
      fc.property(anyLimit, fc.integer({ min: 1, max: 1e9 }), (limit, quantity) => {
        fc.pre(limit.quantity > 0)
        const bucket = createTokenBucket(limit, 0)
        expect(findWaitMs(bucket, quantity, 0)).toBe(0)
        takeTokens(bucket, quantity)
        const longestMs = limits.rateLimitRetrySeconds * 1000
        const oneMore = (limit.windowSeconds * 1000) / limit.quantity
        expect(findWaitMs(bucket, 1, longestMs + oneMore)).toBe(0)
      }),
    )
  })
})
