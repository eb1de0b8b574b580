import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import { fromIdBytes } from '#server/store/binary-id.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, testNow, entryOf } from '#test/test-store.ts'
import { expectThroughout } from '#test/waiting.ts'
import { createCommitter } from './committer.ts'
import type { Committer } from './committer.ts'
import { foldCounterDeltas } from './counter-fold.ts'
import type { EventRecord } from './records.ts'
import { createTagWriter } from './tag-writer.ts'

const colored = (index: number, fields: Partial<EventRecord> = {}) =>
  makeEventRecord({
    eventId: testId(`e${index}`),
    tags: [
      ['color', 'red'],
      ['page', `/${index % 7}`],
    ],
    ...fields,
  })

/**
 * The clock is frozen, so that after the first events all counts are deferred; timers are frozen, too, so
 * that no fold runs while the events arrive.
 */
async function openFlooded(eventCount = limits.countersAtOncePerSecond + 50) {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const store = await openTestStore()
  const committer = createCommitter(store)
  await commitEach(committer, 0, eventCount)
  const count = (sql: string) => Number(Object.values(store.connection.prepare(sql).get() ?? {})[0])
  const reds = () => count(`SELECT coalesce(sum(event_count), 0) FROM issue_tags WHERE value = 'red'`)
  const deltas = () => count('SELECT count(*) FROM counter_deltas')
  return { store, committer, count, reds, deltas }
}

/** One batch an event, up to the last one. */
async function commitEach(committer: Committer, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) await committer.commit(entryOf(colored(index)))
}

describe('the counters of an issue', () => {
  it('are updated with their events at a low rate', async () => {
    const { reds, deltas } = await openFlooded(limits.countersAtOncePerSecond)
    expect(reds()).toBe(limits.countersAtOncePerSecond)
    expect(deltas()).toBe(0)
  })

  it('are deferred in a flood, unlike its environments', async () => {
    const { committer, reds, deltas, count } = await openFlooded()
    expect(reds()).toBe(limits.countersAtOncePerSecond)
    expect(deltas()).toBe(50)
    expect(count(`SELECT count(*) FROM issue_environments`)).toBe(1)
    expect(count('SELECT count(*) FROM events')).toBe(150)
    const countedEvents = () => count('SELECT event_count FROM issues')
    expect(countedEvents()).toBe(limits.countersAtOncePerSecond)
    await committer.drain()
    expect(countedEvents()).toBe(150)
  })

  it('have the same latest event as without a flood', async () => {
    const { store, committer } = await openFlooded()
    const late = {
      ...colored(200),
      occurredAt: colored(200).occurredAt + 60_000,
      title: 'Late',
      release: '2.0',
    }
    await committer.commit(entryOf(late))
    await committer.commit(entryOf({ ...colored(201), title: 'Early', release: '1.0' }))
    await committer.drain()
    const row = store.connection
      .prepare('SELECT title, event_count, last_seen_at, last_release, latest_event_id FROM issues')
      .get()
    expect(row).toMatchObject({
      title: 'Late',
      event_count: 152,
      last_seen_at: late.occurredAt,
      last_release: '2.0',
    })
    const latestId = row?.['latest_event_id']
    expect(latestId instanceof Uint8Array && fromIdBytes(latestId)).toBe(late.eventId)
  })

  it('are counted a moment later without further events', async () => {
    const { reds, deltas } = await openFlooded()
    await vi.waitFor(() => expect(deltas()).toBe(0), { timeout: limits.counterFoldDelayMs + 10_000 })
    expect(reds()).toBe(150)
  })

  it('are counted when the committer is drained, with the latest time of each', async () => {
    const { reds, deltas, committer, count } = await openFlooded()
    await committer.commit(entryOf(colored(999, { occurredAt: testNow + 5 })))
    await committer.drain()
    expect([reds(), deltas()]).toEqual([151, 0])
    expect(count(`SELECT last_seen_at FROM issue_tags WHERE value = 'red'`)).toBe(testNow + 5)
    expect(count(`SELECT sum(event_count) FROM issue_tags WHERE key = 'page'`)).toBe(151)
  })

  it('of a terminated process are counted by the next one', async () => {
    const { store, reds, deltas } = await openFlooded()
    const next = createCommitter(await store.openAgain())
    await next.drain()
    expect([reds(), deltas()]).toEqual([150, 0])
  })

  it('of a terminated process are counted by another running one, once they are late', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let now = testNow
    const store = await openTestStore({ clock: () => now })
    const running = await store.openAgain()
    createCommitter(running)
    await commitEach(createCommitter(store), 0, limits.countersAtOncePerSecond + 1)
    await store.close()
    const deltas = () => running.connection.prepare('SELECT count(*) AS n FROM counter_deltas').get()?.['n']
    vi.advanceTimersByTime(limits.lateDeltasCheckMs)
    await expectThroughout(100, () => expect(deltas()).toBe(1))
    now += limits.countsLateMs + 1
    vi.advanceTimersByTime(limits.lateDeltasCheckMs)
    await vi.waitFor(() => expect(deltas()).toBe(0), { timeout: limits.counterFoldDelayMs + 10_000 })
  })

  it('are folded slice by slice, even when more are pending than fit one transaction', async () => {
    const { reds, deltas, committer, count } = await openFlooded()
    const groups = ['11', '22', '33', '44', '55', '66', '77', '88', '99', 'aa', 'bb', 'cc']
    const events = groups.map((digits, index) => colored(1_000 + index, { groupHash: digits.repeat(16) }))
    await Promise.all(events.map((event) => committer.commit(entryOf(event))))
    // Of one issue, so of one slice.
    await commitEach(committer, 2_000, 2_000 + limits.counterFoldDeltas)
    expect(count('SELECT count(DISTINCT id % 8) FROM counter_deltas')).toBeGreaterThan(1)
    expect(deltas()).toBeGreaterThan(limits.counterFoldDeltas)
    await committer.drain()
    expect([reds(), deltas()]).toEqual([150 + events.length + limits.counterFoldDeltas, 0])
  })

  it('are folded in several turns if time is short, each once', async () => {
    const { store, reds, deltas, committer, count } = await openFlooded()
    const names = Array.from({ length: 40 }, (_, index) => `issue ${index}`)
    const events = names.map((name, index) => colored(1_000 + index, { groupHash: testId(name) }))
    await Promise.all(events.map((event) => committer.commit(entryOf(event))))
    const writer = createTagWriter(store)
    const oldest = () => count('SELECT min(id) FROM counter_deltas')
    const oldestId = oldest()
    let turns = 0
    for (let isWhole = false; !isWhole; turns += 1) {
      store.connection.exec('BEGIN IMMEDIATE')
      isWhole = foldCounterDeltas(writer, { limitMs: 0 }).isWhole
      store.connection.exec('COMMIT')
      expect(isWhole || oldest()).toBe(isWhole || oldestId)
    }
    expect([reds(), deltas()]).toEqual([190, 0])
    // PostgreSQL receives all statements of a transaction together.
    expect(turns).toBeGreaterThan(onPostgres ? 0 : 1)
  })

  it('are read in parts when many are pending', async () => {
    const { store, reds, committer, count } = await openFlooded()
    for (let from = 1_000; from < 6_000; from += 500) {
      const events = Array.from({ length: 500 }, (_, index) => colored(from + index))
      await Promise.all(events.map((event) => committer.commit(entryOf(event))))
    }
    store.connection.exec('BEGIN IMMEDIATE')
    foldCounterDeltas(createTagWriter(store), { limitMs: 0 })
    store.connection.exec('COMMIT')
    expect(count('SELECT max(event_count) FROM counter_deltas')).toBeLessThanOrEqual(
      limits.counterFoldEvents + 500,
    )
    await committer.drain()
    expect(reds()).toBe(5_150)
  })

  it.skipIf(onPostgres)('have more time when they are late', async () => {
    let now = testNow
    const store = await openTestStore({ clock: () => now })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const committer = createCommitter(store)
    const issues = Array.from({ length: 1_500 }, (_, index) =>
      colored(index, { groupHash: testId(`issue ${index}`) }),
    )
    await Promise.all(issues.map((event) => committer.commit(entryOf(event))))
    const pending = () =>
      Number(store.connection.prepare('SELECT sum(event_count) AS n FROM counter_deltas').get()?.['n'])
    let time = 0
    const elapsed = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1))
    onTestFinished(() => elapsed.mockRestore())
    function foldFor(limitMs: number): number {
      const before = pending()
      store.connection.exec('BEGIN IMMEDIATE')
      foldCounterDeltas(createTagWriter(store), { limitMs })
      store.connection.exec('COMMIT')
      return before - pending()
    }
    const inTime = foldFor(3)
    now += limits.countsLateMs + 1_000
    expect(inTime).toBeGreaterThan(0)
    expect(foldFor(3)).toBeGreaterThan(2 * inTime)
  })

  it('of a deleted issue are dropped', async () => {
    const { store, deltas, committer, count } = await openFlooded()
    store.connection.exec('DELETE FROM issues; DELETE FROM issue_tags')
    await committer.drain()
    expect([count('SELECT count(*) FROM issue_tags'), deltas()]).toEqual([0, 0])
  })

  it('that cannot be parsed are logged and do not affect others', async () => {
    const { store, reds, deltas } = await openFlooded()
    store.connection.exec(
      `UPDATE counter_deltas SET data = '[1,"x"' WHERE id = (SELECT min(id) FROM counter_deltas)`,
    )
    const error = vi.fn<(fields: Record<string, unknown>, message: string) => void>()
    await createCommitter(store, { error }).drain()
    expect([reds(), deltas()]).toEqual([149, 0])
    expect(error).toHaveBeenCalledOnce()
  })

  it('are kept while the file is locked, and are counted afterwards', async () => {
    const { store, reds, deltas, committer } = await openFlooded()
    const other = await store.openAgain()
    other.connection.exec('BEGIN IMMEDIATE')
    await committer.drain()
    expect([reds(), deltas(), committer.hasFailedToCount()]).toEqual([100, 50, true])
    other.connection.exec('ROLLBACK')
    await vi.waitFor(() => expect(deltas()).toBe(0), { timeout: limits.counterFoldDelayMs + 10_000 })
    expect([reds(), committer.hasFailedToCount()]).toEqual([150, false])
  })

  it('are counted by the next process when the store is closed first', async () => {
    const error = vi.fn<(fields: Record<string, unknown>, message: string) => void>()
    const store = await openTestStore()
    const committer = createCommitter(store, { error })
    await commitEach(committer, 0, limits.countersAtOncePerSecond + 1)
    await store.close()
    await expectThroughout(limits.counterFoldDelayMs + 100, () => expect(error).not.toHaveBeenCalled())
    const again = await store.openAgain()
    await createCommitter(again).drain()
    expect(again.connection.prepare('SELECT count(*) AS n FROM counter_deltas').get()).toEqual({ n: 0 })
  })
})
