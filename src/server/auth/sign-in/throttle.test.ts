import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { openTestStore, testNow } from '#test/test-store.ts'
import { createSignInThrottle, type SignInThrottle, type ThrottledName } from './throttle.ts'

const pair: ThrottledName = { rule: 'pair', text: 'ada@example.com at 192.0.2.1' }
const network: ThrottledName = { rule: 'network', text: '192.0.2.1' }
const account: ThrottledName = { rule: 'account', text: 'ada@example.com' }
const code: ThrottledName = { rule: 'code', text: 'ada' }

async function openThrottle() {
  let now = testNow
  const store = await openTestStore({ clock: () => now })
  return {
    store,
    throttle: createSignInThrottle(store),
    advance: (ms: number) => void (now += ms),
    countRows: () =>
      Number(store.connection.prepare('SELECT count(*) AS n FROM sign_in_failures').get()?.['n']),
  }
}

/** Starts an attempt that is never completed: it counts as failed. Returns 0, or how long it has to wait. */
async function fail(throttle: SignInThrottle, ...names: ThrottledName[]): Promise<number> {
  const started = await throttle.begin(names)
  return started.kind === 'wait' ? started.waitMs : 0
}

async function failTimes(count: number, throttle: SignInThrottle, name: ThrottledName): Promise<void> {
  for (let time = 0; time < count; time += 1) await fail(throttle, name)
}

describe('createSignInThrottle', () => {
  it('allows the first failures and doubles the wait after each further one', async () => {
    const { throttle, advance } = await openThrottle()
    const waits = []
    for (let time = 0; time < limits.signInFreeFailures; time += 1) waits.push(await fail(throttle, pair))
    expect(waits).toEqual([0, 0, 0, 0, 0])
    expect(await fail(throttle, pair)).toBe(1_000)
    advance(1_000)
    expect(await fail(throttle, pair)).toBe(0)
    expect(await fail(throttle, pair)).toBe(2_000)
    advance(1_500)
    expect(await fail(throttle, pair)).toBe(500)
  })

  it('allows as many of 400 simultaneous attempts as of sequential ones, in one process and in two', async () => {
    const { store, throttle } = await openThrottle()
    const other = createSignInThrottle(await store.openAgain())
    const started = await Promise.all(
      Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? throttle : other).begin([pair, network])),
    )
    expect(started.filter(({ kind }) => kind === 'go')).toHaveLength(limits.signInFreeFailures)
  })

  it('requires the longest wait of the names, and counts no failure during it', async () => {
    const { throttle } = await openThrottle()
    await failTimes(limits.signInFreeFailuresPerAddress, throttle, network)
    for (let time = 0; time < 20; time += 1) expect(await fail(throttle, pair, network)).toBe(1_000)
    expect(await fail(throttle, pair)).toBe(0)
  })

  it('keeps the kinds of names apart', async () => {
    const { throttle } = await openThrottle()
    await failTimes(limits.signInFreeFailures, throttle, { rule: 'pair', text: 'same' })
    expect(await fail(throttle, { rule: 'network', text: 'same' })).toBe(0)
    expect(await fail(throttle, { rule: 'pair', text: 'other' })).toBe(0)
  })

  it('clears the failures of an account on success, and keeps the other failures of its network', async () => {
    const { throttle } = await openThrottle()
    await failTimes(4, throttle, pair)
    await failTimes(limits.signInFreeFailuresPerAddress - 1, throttle, network)
    await failTimes(limits.signInFreeFailuresPerAccount - 1, throttle, account)
    const right = await throttle.begin([pair, network, account])
    if (right.kind === 'go') await right.succeed()
    for (let time = 0; time < limits.signInFreeFailures; time += 1) expect(await fail(throttle, pair)).toBe(0)
    expect(await fail(throttle, account)).toBe(0)
    expect(await fail(throttle, network)).toBe(0)
    expect(await fail(throttle, network)).toBe(1_000)
  })

  it('does not count a cancelled attempt', async () => {
    const { throttle } = await openThrottle()
    for (let time = 0; time < 50; time += 1) {
      const started = await throttle.begin([pair, code])
      if (started.kind === 'go') await started.cancel()
    }
    expect(await fail(throttle, pair, code)).toBe(0)
  })

  it('locks a second factor after ten wrong codes, for a quarter of an hour, and then starts over', async () => {
    const { throttle, advance } = await openThrottle()
    await Promise.all(Array.from({ length: 50 }, () => throttle.begin([code])))
    expect(await fail(throttle, code)).toBe(900_000)
    advance(899_999)
    expect(await fail(throttle, code)).toBe(1)
    advance(1)
    for (let time = 0; time < limits.secondFactorFailures; time += 1)
      expect(await fail(throttle, code)).toBe(0)
    expect(await fail(throttle, code)).toBe(900_000)
  })

  it('never waits longer than the limit and never locks permanently, even when the clock jumps', async () => {
    const { throttle, advance, store } = await openThrottle()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -1e11, max: 1e11 }), { maxLength: 25 }), async (steps) => {
        store.connection.exec('DELETE FROM sign_in_failures')
        for (const step of steps) {
          advance(step)
          expect(await fail(throttle, pair)).toBeLessThanOrEqual(limits.signInWaitMs)
        }
        advance(limits.signInWaitMs)
        expect(await fail(throttle, pair)).toBe(0)
      }),
      { numRuns: 30 },
    )
  })

  it('stores a bounded number of rows, and deletes expired ones', async () => {
    const { store, throttle, advance, countRows } = await openThrottle()
    const insert = store.connection.prepare('INSERT INTO sign_in_failures VALUES (?, 1, ?, ?)')
    store.connection.exec('BEGIN')
    for (let count = 0; count < limits.signInNames; count += 1)
      insert.run(`name ${count}`, testNow, testNow + 1_000 + count)
    store.connection.exec('COMMIT')
    await fail(throttle, pair, account)
    expect(countRows()).toBe(limits.signInNames)
    expect(
      store.connection.prepare("SELECT 1 FROM sign_in_failures WHERE name_hash = 'name 1'").get(),
    ).toBeUndefined()
    advance(limits.signInMemoryMs + 1)
    await fail(throttle, network)
    expect(countRows()).toBe(2)
  })

  it('stores no entered address: users type passwords into the wrong field', async () => {
    const { store, throttle } = await openThrottle()
    await fail(throttle, { rule: 'account', text: 'my password' })
    expect(JSON.stringify(store.connection.prepare('SELECT * FROM sign_in_failures').all())).not.toContain(
      'my pass',
    )
  })
})
