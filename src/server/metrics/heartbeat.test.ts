import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { listProcesses } from '#server/store/installation/processes.ts'
import type { Store } from '#server/store/store.ts'
import { openTestStore, testNow } from '#test/test-store.ts'
import { createHeartbeat, measureProcesses } from './heartbeat.ts'
import { createMetrics } from './registry.ts'

/** Two connections to one database, as two processes have them, with a clock that the test moves. */
async function openTwo() {
  let now = testNow
  const one = await openTestStore({ clock: () => now })
  const other = await one.openAgain()
  const warnings: object[] = []
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (facts) => void warnings.push(facts),
    error: () => undefined,
  }
  let items = 0
  const readItemCount = () => items
  const create = (store: Store, origin = 'https://culvert.example', secret?: string) => {
    const heartbeat = createHeartbeat({ store, log, origin: () => origin, secret, readItemCount })
    onTestFinished(() => heartbeat.stop())
    return heartbeat
  }
  const receive = (count: number) => {
    items += count
  }
  return { one, other, create, receive, warnings, pass: (ms: number) => void (now += ms) }
}

describe('the heartbeat', () => {
  it('counts the processes that share a database, from their start to their end', async () => {
    const { one, other, create, receive, warnings } = await openTwo()
    const [first, second] = [create(one), create(other)]
    receive(20)
    expect(first.processCount()).toBe(1)
    await first.start('1.0')
    await second.start('1.0')
    expect(second.processCount()).toBe(2)
    const process = (await listProcesses(one)).find(({ id }) => id === first.processId)
    expect(process).toMatchObject({ version: '1.0', origin: 'https://culvert.example', seenAt: testNow })
    expect(process?.itemsPerMinute).toBeGreaterThan(0)
    expect(process?.memoryBytes).toBeGreaterThan(1_000_000)
    await first.stop()
    expect((await listProcesses(other)).map(({ id }) => id)).toEqual([second.processId])
    expect(warnings).toEqual([])
  })

  it('does not count a process that was killed, and forgets it', async () => {
    const { one, other, create, pass } = await openTwo()
    const [killed, second, third] = [create(one), create(other), create(other)]
    await killed.start('1.0')
    await second.start('1.0')
    pass(limits.heartbeatLateMs)
    expect(second.processCount()).toBe(1)
    await second.stop()
    expect(await listProcesses(other)).toHaveLength(1)
    pass(limits.processForgottenMs)
    await third.start('1.0')
    expect((await listProcesses(one)).map(({ id }) => id)).toEqual([third.processId])
  })

  it('warns once of a process with another address, which its DSNs would contain', async () => {
    const { one, other, create, warnings } = await openTwo()
    await create(one, 'http://10.0.0.1:3000').start('1.0')
    await create(other, 'http://10.0.0.2:3000').start('1.0')
    expect(warnings).toMatchObject([{ origin: 'http://10.0.0.2:3000', otherOrigin: 'http://10.0.0.1:3000' }])
  })

  it('warns once of a process that starts with another secret, which does not know its users', async () => {
    const { one, other, create, warnings } = await openTwo()
    const first = create(one, undefined, 'a'.repeat(32))
    const second = create(other, undefined, 'a'.repeat(32))
    const third = create(other)
    for (const each of [first, second, first]) await each.start('1.0')
    expect(warnings).toEqual([])
    for (const each of [third, first, first]) await each.start('1.0')
    expect(warnings).toEqual([{ other: expect.stringContaining(`(${process.pid})`) as string }])
    await third.stop()
    await second.start('1.0')
    expect(warnings).toHaveLength(1)
  })

  it('is a metric', async () => {
    const { one, create } = await openTwo()
    const heartbeat = create(one)
    const registry = createMetrics()
    measureProcesses(registry, heartbeat)
    await heartbeat.start('1.0')
    expect(registry.render()).toMatch(/^culvert_processes 1$/m)
  })
})
