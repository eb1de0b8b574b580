import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createTokenRateLimiter } from './token-rate-limiter.ts'

const { quantity, windowSeconds } = limits.apiRateLimit

it('a token that has used its whole quota has to wait, and other tokens do not', () => {
  const turns = createTokenRateLimiter()
  const waits = Array.from({ length: quantity }, () => turns.take('a', 0).waitMs)
  expect(new Set(waits)).toEqual(new Set([0]))
  const { waitMs, remaining } = turns.take('a', 0)
  expect(remaining).toBe(0)
  expect(waitMs).toBeGreaterThan(0)
  expect(waitMs).toBeLessThanOrEqual(windowSeconds * 1000)
  expect(turns.take('b', 0)).toMatchObject({ waitMs: 0, remaining: quantity - 1 })
  expect(turns.take('a', waitMs).waitMs).toBe(0)
})

it('reports when the quota of a token is full again', () => {
  const turns = createTokenRateLimiter()
  for (let count = 0; count < quantity / 2; count += 1) turns.take('a', 0)
  expect(turns.take('a', 0).fullInMs).toBeCloseTo((windowSeconds * 1000 * (quantity / 2 + 1)) / quantity)
})
