import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createTokenTurns } from './token-turns.ts'

const { quantity, windowSeconds } = limits.apiRateLimit

it('a token that has asked for all it may is told to wait, and no other one', () => {
  const turns = createTokenTurns()
  const waits = Array.from({ length: quantity }, () => turns.take('a', 0))
  expect(new Set(waits)).toEqual(new Set([0]))
  const waitMs = turns.take('a', 0)
  expect(waitMs).toBeGreaterThan(0)
  expect(waitMs).toBeLessThanOrEqual(windowSeconds * 1000)
  expect(turns.take('b', 0)).toBe(0)
  expect(turns.take('a', waitMs)).toBe(0)
})
