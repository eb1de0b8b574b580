import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { defaultProjectSettings, type RateLimits } from '#server/store/projects/settings.ts'
import { minuteMs } from '#time/time-steps.ts'
import { createRateLimiter, type RateLimitSubject } from './rate-limiter.ts'

interface Given {
  project?: RateLimits
  key?: RateLimits
  ownKey?: RateLimits
  address?: RateLimits | undefined
  publicKey?: string
  projectId?: number
  clientAddress?: string | undefined
}

function subjectOf(given: Given): RateLimitSubject {
  const { project = {}, key = {}, address, ownKey = {}, publicKey = 'a', projectId = 42 } = given
  return {
    key: {
      publicKey,
      projectId,
      settings: { rateLimits: { project, key, address } },
      keySettings: { rateLimits: ownKey },
    },
    clientAddress: given.clientAddress,
  }
}

const perMinute = (quantity: number) => ({ quantity, windowSeconds: 60 })

let now = 0
function createLimiter(processCount = 1) {
  now = 0
  const limiter = createRateLimiter(
    () => now,
    () => processCount,
  )
  const take = (given: Given, category = 'error', quantity = 1) =>
    limiter.limitsFor(subjectOf(given))?.take({ category, quantity, itemCount: quantity })
  const advertised = (given: Given) => limiter.limitsFor(subjectOf(given))?.listActive()
  const hold = (given: Given) => limiter.limitsFor(subjectOf(given))?.findReachedLimit()
  return { limiter, take, advertised, hold }
}

function times(count: number, run: () => string | undefined): (string | undefined)[] {
  return Array.from({ length: count }, run)
}

/** The number of simultaneous requests, of 200, that one of several processes accepts. */
function accepted(processCount: number, limit: number, quantity = 1): number {
  const { take } = createLimiter(processCount)
  const key = { error: perMinute(limit) }
  const reasons = times(200, () => take({ key }, 'error', quantity))
  return reasons.filter((reason) => reason === undefined).length
}

describe('the rate limiter', () => {
  it('has no limits for a local sender to a project without limits', () => {
    const { limiter } = createLimiter()
    const { rateLimits } = defaultProjectSettings
    for (const clientAddress of [undefined, '127.0.0.1', '::1']) {
      expect(limiter.limitsFor(subjectOf({ ...rateLimits, clientAddress }))).toBeUndefined()
    }
    expect(limiter.limitsFor(subjectOf({ ...rateLimits, clientAddress: '203.0.113.7' }))).toBeDefined()
    // An explicit limit applies to this machine too.
    const address = { all: perMinute(1) }
    expect(limiter.limitsFor(subjectOf({ address, clientAddress: '127.0.0.1' }))).toBeDefined()
  })

  it('counts each key, project and address separately', () => {
    const { take } = createLimiter()
    const key = { error: perMinute(2) }
    expect(times(3, () => take({ key }))).toEqual([undefined, undefined, 'key_limit'])
    expect(take({ key, publicKey: 'b' })).toBeUndefined()
    const project = { error: perMinute(1) }
    expect(times(2, () => take({ project }))).toEqual([undefined, 'project_limit'])
    expect(take({ project, projectId: 43 })).toBeUndefined()
    const address = { all: perMinute(1) }
    const near = '2001:db8::1'
    expect(times(2, () => take({ address, clientAddress: near }))).toEqual([undefined, 'address_limit'])
    expect(take({ address, clientAddress: '2001:db8::ffff' })).toBe('address_limit')
    expect(take({ address, clientAddress: '2001:db8:0:1::1' })).toBeUndefined()
  })

  it('gives each of several processes its share of a limit, and of a low one at least one item', () => {
    expect([1, 2, 3, 4].map((count) => accepted(count, 60))).toEqual([60, 30, 20, 15])
    expect([accepted(3, 1), accepted(3, 2), accepted(100, 60)]).toEqual([1, 1, 1])
    // A quantity over a share, but within the limit, passes once the bucket is full.
    expect(accepted(3, 60, 30)).toBe(1)
    expect(accepted(3, 60, 61)).toBe(1)
    expect(accepted(3, 0)).toBe(0)
  })

  it('refills the share of a process as fast as it accepts', () => {
    const { take } = createLimiter(3)
    const key = { error: perMinute(60) }
    let taken = 0
    for (let second = 0; second < 600; second += 1) {
      now += 1_000
      if (take({ key }) === undefined) taken += 1
    }
    // A full share at the start, then a third of a share per second.
    expect(taken).toBeGreaterThan(190)
    expect(taken).toBeLessThanOrEqual(220)
  })

  it.each([
    ['as large as the limit', 60, 10],
    ['three times as large', 180, 4],
    ['a thousand times as large, which counts as six times', 60_000, 2],
  ])('accepts a batch of spans %s when the limit is unused', (_, spanCount, expected) => {
    const { take } = createLimiter()
    const key = { span: perMinute(60) }
    let taken = 0
    for (let second = 0; second < 600; second += 1) {
      if (take({ key }, 'span', spanCount) === undefined) taken += 1
      now += 1_000
    }
    expect(taken).toBe(expected)
  })

  it('counts categories separately, and all of them together', () => {
    const { take } = createLimiter()
    const key = { error: perMinute(1), all: perMinute(3) }
    expect(take({ key }, 'error')).toBeUndefined()
    expect(take({ key }, 'error')).toBe('key_limit')
    expect(times(3, () => take({ key }, 'session'))).toEqual([undefined, undefined, 'key_limit'])
  })

  it('replaces the limits of every key with the limits of one key', () => {
    const { take } = createLimiter()
    const given = { key: { error: perMinute(1) }, ownKey: { session: perMinute(1) } }
    expect(times(9, () => take(given, 'error'))).not.toContain('key_limit')
  })

  it('uses no tokens of one limit when another rejects', () => {
    const { take } = createLimiter()
    const given = { key: { error: perMinute(5) }, project: { error: perMinute(1) } }
    expect(times(6, () => take(given))).toEqual([undefined, ...times(5, () => 'project_limit')])
    expect(times(4, () => take({ key: given.key }))).not.toContain('key_limit')
  })

  it('reports an active limit with every request until it ends', () => {
    const { take, advertised, hold } = createLimiter()
    const given = { key: { error: { quantity: 1, windowSeconds: 10 } }, project: { all: perMinute(600) } }
    times(2, () => take(given))
    const limit = { category: 'error', scope: 'key', reason: 'key_limit' }
    expect(advertised(given)).toEqual([{ retryAfterSeconds: 10, ...limit }])
    now += 9_500
    expect(advertised(given)).toEqual([{ retryAfterSeconds: 1, ...limit }])
    expect(hold(given)).toBeUndefined()
    now += 500
    expect(advertised(given)).toEqual([])
    expect(take(given)).toBeUndefined()
  })

  it('rejects every item while a limit of all categories is exceeded', () => {
    const { take, hold } = createLimiter()
    const given = { project: { all: perMinute(1) } }
    times(2, () => take(given))
    expect(hold(given)).toBe('project_limit')
    now += 60_000
    expect(hold(given)).toBeUndefined()
  })

  it('restarts when a limit is changed', () => {
    const { take, advertised } = createLimiter()
    times(2, () => take({ key: { error: perMinute(1) } }))
    const raised = { key: { error: perMinute(2) } }
    expect(advertised(raised)).toEqual([])
    expect(take(raised)).toBeUndefined()
  })

  it('counts a batch of spans as one item of the default limit, and each span of a configured one', () => {
    const { limiter } = createLimiter()
    const batch = { category: 'span', quantity: 1_000, itemCount: 1_000, batchCount: 1 }
    const clientAddress = '203.0.113.7'
    const takeBatch = (address?: RateLimits) =>
      limiter.limitsFor(subjectOf({ address, clientAddress }))?.take(batch)
    expect(times(1_000, () => takeBatch())).not.toContain('address_limit')
    const address = { all: limits.addressRateLimit }
    expect(times(61, () => takeBatch(address))).toContain('address_limit')
  })

  it('returns the tokens of a filtered item, but not to its address', () => {
    const { limiter, take } = createLimiter()
    const given = {
      key: { error: perMinute(1) },
      address: { error: perMinute(2) },
      clientAddress: '203.0.113.7',
    }
    const request = limiter.limitsFor(subjectOf(given))
    const question = { category: 'error', quantity: 1, itemCount: 1 }
    for (let sent = 0; sent < 2; sent += 1) {
      expect(request?.take(question)).toBeUndefined()
      request?.refund(question)
    }
    expect(take(given)).toBe('address_limit')
  })

  it.each([0, 10])('does not count a minidump as a second item, after %i items', (sentCount) => {
    const { limiter, take, advertised } = createLimiter()
    const given = { address: { all: perMinute(10) }, clientAddress: '203.0.113.7' }
    times(sentCount, () => take(given))
    const minidump = { category: 'attachment', quantity: 5_000, itemCount: 0 }
    expect(limiter.limitsFor(subjectOf(given))?.take(minidump)).toBeUndefined()
    expect(advertised(given)).toEqual([])
  })

  it('counts the rest of a batch larger than the limit, of which items are filtered', () => {
    const { limiter, take } = createLimiter()
    const given = { key: { error: perMinute(60) } }
    const request = limiter.limitsFor(subjectOf(given))
    expect(request?.take({ category: 'error', quantity: 1_000, itemCount: 1_000 })).toBeUndefined()
    for (let item = 0; item < 990; item += 1)
      request?.refund({ category: 'error', quantity: 1, itemCount: 1 })
    expect(take(given, 'error', 50)).toBeUndefined()
    expect(take(given, 'error')).toBe('key_limit')
  })

  it('tracks a bounded number of addresses', () => {
    const { limiter } = createLimiter()
    const address = { all: perMinute(1) }
    for (let host = 0; host < limits.rateLimitedAddresses + 1_000; host += 1) {
      const clientAddress = `10.${host >> 16}.${(host >> 8) & 255}.${host & 255}`
      limiter.limitsFor(subjectOf({ address, clientAddress }))
    }
    expect(limiter.size).toBe(limits.rateLimitedAddresses)
  })

  it('never accepts more than a full bucket and its rate', () => {
    const anyRequest = fc.record({
      passedMs: fc.integer({ min: 0, max: 3_000 }),
      category: fc.constantFrom('error', 'session', 'transaction'),
      quantity: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 40 }),
        fc.array(anyRequest, { maxLength: 150 }),
        (all, requests) => {
          const { take } = createLimiter()
          let taken = 0
          for (const { passedMs, category, quantity } of requests) {
            now += passedMs
            if (take({ key: { all: perMinute(all) } }, category, quantity) === undefined) taken += quantity
          }
          expect(taken).toBeLessThanOrEqual(all + (now * all) / minuteMs + 1e-6)
        },
      ),
    )
  })
})
