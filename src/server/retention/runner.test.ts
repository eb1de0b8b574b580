import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Log } from '#server/log.ts'
import { StoreUnavailableError } from '#server/store/errors.ts'
import type { TraceRecord } from '#server/store/ingest/records.ts'
import { takeLease } from '#server/store/installation/lease.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { onPostgres } from '#test/engine.ts'
import { findIssueId, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testId, testNow } from '#test/test-store.ts'
import { readClockState } from './clock-state.ts'
import { createRetentionRunner } from './runner.ts'

type Line = readonly [level: string, message: string, facts: object]

/** A store with a runner; call `newRunner` for that of another process, or after a restart. */
async function openRunner(maxBytes = 10 ** 12) {
  const kept = await openKeptStore()
  const lines: Line[] = []
  const at = (level: string) => (facts: object, message: string) => void lines.push([level, message, facts])
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const newRunner = () => createRetentionRunner({ store: kept.store, log, maxBytes, random: () => 0.5 })
  return { ...kept, runner: newRunner(), newRunner, lines }
}

/** A segment of 20 kB. */
function toRecord(number: number): TraceRecord {
  return {
    projectId: 1,
    category: 'transaction',
    quantity: 1,
    traceId: testId(`trace ${number}`),
    spanId: 'a'.repeat(16),
    isRoot: true,
    startedAt: testNow,
    durationUs: 1,
    spanCount: 1,
    op: 'task',
    name: 'job',
    isError: false,
    environment: '',
    receivedAt: testNow,
    payload: Buffer.from(randomBytes(20_000).toString('hex')),
  }
}

describe('the runner of retention', () => {
  it('deletes expired events, and logs it once', async () => {
    const { receive, setDaysAgo, keptIds, newRunner, lines } = await openRunner()
    setDaysAgo(100)
    await receive(ofIssue('a'))
    for (const days of [95, 85, 75, 65, 55, 45, 35, 25, 15, 11]) {
      setDaysAgo(days)
      await newRunner().check()
    }
    expect(keptIds()).toHaveLength(1)
    expect(lines.filter(([level]) => level !== 'debug')).toEqual([])
    setDaysAgo(9)
    await newRunner().check()
    expect(keptIds()).toEqual([])
    expect(lines.at(-1)).toMatchObject([
      'info',
      expect.stringMatching(/deleted/),
      { projects: { 1: { issueCount: 1 } } },
    ])
  })

  it.skipIf(onPostgres)('expires other projects if a deleted issue of one cannot be deleted', async () => {
    const { receive, keep, keptIds, runner, store } = await openRunner()
    for (const projectId of [1, 2]) {
      await receive(...Array.from({ length: 3 }, () => Object.assign(ofIssue('a'), { projectId })))
      await keep(projectId, { events: 1 })
    }
    const issueIds = [findIssueId(store, 'a') ?? -1]
    await recordDeletion(store, { issueIds, projectIds: [1] }, { userId: 'ada', at: 1, discards: false })
    store.connection.exec(`CREATE TRIGGER broken BEFORE DELETE ON events WHEN OLD.project_id = 1
      BEGIN SELECT RAISE(ABORT, 'a bug of the statement'); END`)
    expect([await runner.check(), keptIds(2).length]).toEqual(['failed', 1])
    // The next check is no run, although the issue is still to be deleted.
    expect(await runner.check()).toBe('done')
  })

  it.skipIf(onPostgres)('expires events and frees space before an error that ends the run', async () => {
    const { receive, keep, setDaysAgo, keptIds, runner, lines, store } = await openRunner()
    setDaysAgo(5)
    for (const projectId of [1, 2]) {
      await receive(Object.assign(ofIssue('a'), { projectId }))
      await keep(projectId, { days: 1 })
    }
    setDaysAgo(3)
    store.connection
      .exec(`INSERT INTO verifications VALUES ('a', 'a', '', '1970-01-01T00:00:00.000Z', '', '');
      CREATE TRIGGER broken BEFORE DELETE ON verifications
      BEGIN SELECT RAISE(ABORT, 'a bug of the statement'); END`)
    expect([await runner.check(), keptIds(1), keptIds(2)]).toEqual(['failed', [], []])
    expect(lines.at(-1)).toMatchObject(['error', expect.stringMatching(/retention failed/), {}])
    expect(await runner.check()).toBe('done')
  })

  it.skipIf(onPostgres)(
    'deletes events of the other projects if those of one cannot be deleted',
    async () => {
      const { receive, keep, keptIds, runner, newRunner, lines, store } = await openRunner()
      for (const projectId of [1, 2]) {
        await receive(...Array.from({ length: 3 }, () => Object.assign(ofIssue('a'), { projectId })))
        await keep(projectId, { events: 1 })
      }
      store.connection.exec(`CREATE TRIGGER broken BEFORE DELETE ON events WHEN OLD.project_id = 1
      BEGIN SELECT RAISE(ABORT, 'a bug of the statement'); END`)
      const counts = () => [1, 2].map((projectId) => keptIds(projectId).length)
      expect([await runner.check(), counts()]).toEqual(['failed', [3, 1]])
      expect(lines.filter(([level]) => level === 'error')).toMatchObject([
        ['error', expect.stringMatching(/of a project failed/), { project: 1 }],
      ])
      // The next check does not run it.
      expect(await runner.check()).toBe('done')
      store.connection.exec('DROP TRIGGER broken')
      expect([await newRunner().check(), counts()]).toEqual(['done', [1, 1]])
    },
  )

  it('deletes no event by age when the clock is a year ahead, and logs what to do', async () => {
    const { receive, setDaysAgo, keep, keptIds, newRunner, runner, lines } = await openRunner()
    await receive(...Array.from({ length: 10 }, () => ofIssue('a')))
    setDaysAgo(-365)
    await runner.check()
    await newRunner().check()
    expect(keptIds()).toHaveLength(10)
    expect(lines.find(([level]) => level === 'warn')?.[1]).toMatch(/clock.*--trust-clock/)
    await keep(1, { events: 4 })
    await newRunner().check()
    expect(keptIds()).toHaveLength(4)
    setDaysAgo(0)
    await newRunner().check()
    expect(keptIds()).toHaveLength(4)
  })

  it('records the clock at its start, so that a wrong clock before the first run is not trusted', async () => {
    const { receive, setDaysAgo, keptIds, runner, newRunner, store } = await openRunner()
    runner.start()
    await runner.stop()
    expect(await readClockState(store)).toMatchObject({ trustedAt: testNow })
    await receive(ofIssue('before'))
    setDaysAgo(-400)
    await receive(ofIssue('after'))
    const other = newRunner()
    other.start()
    await other.stop()
    await newRunner().check()
    expect(keptIds()).toHaveLength(2)
  })

  it('does nothing while another process has the lease', async () => {
    const { store, receive, keep, keptIds, runner, newRunner } = await openRunner()
    await receive(ofIssue('a'), ofIssue('a'), ofIssue('a'))
    await keep(1, { events: 1 })
    expect(await takeLease(store, 'retention', 'somebody else')).toBe(true)
    expect(await runner.check()).toBe('elsewhere')
    expect(keptIds()).toHaveLength(3)
    store.connection.exec('DELETE FROM leases')
    await newRunner().check()
    expect(keptIds()).toHaveLength(1)
    // It gave the lease back.
    expect(await takeLease(store, 'retention', 'somebody else')).toBe(true)
  })

  it('continues after a disk error, even though ingest commits elsewhere', async () => {
    const { store, receive, keep, keptIds, runner } = await openRunner()
    await receive(ofIssue('a'), ofIssue('a'), ofIssue('a'))
    await keep(1, { events: 1 })
    store.condition.noteFailure(new StoreUnavailableError('IOERR'))
    await runner.check()
    expect(keptIds()).toHaveLength(1)
    expect(store.condition.isLogSound).toBe(true)
  })

  it('checks the size between two runs, and runs immediately when it is too large', async () => {
    const { store, receive, keptIds, runner } = await openRunner(2_000_000)
    await receive(ofIssue('a'))
    await runner.check()
    for (let index = 0; index < 40; index += 1) {
      const eventId = index.toString(16).padStart(32, 'a')
      const noise = Buffer.from(Array.from({ length: 100_000 }, () => Math.random() * 256))
      const payload = Buffer.concat([Buffer.from(JSON.stringify({ event_id: eventId })), noise])
      await receive({ ...ofIssue('a'), eventId, payload })
    }
    await runner.check()
    expect(keptIds().length).toBeLessThan(30)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('deletes only traces when only they exceed their budget between two runs', async () => {
    const { store, commit, receive, keep, keptIds, runner, count, lines } = await openRunner()
    await runner.check()
    await receive(ofIssue('a'), ofIssue('a'))
    await keep(1, { events: 1 })
    const traces = Array.from({ length: 60 }, (_, at) => toRecord(at))
    await commit({ events: [], outcomes: [], deadLetters: [], traces })
    await runner.check()
    expect(count('trace_segments')).toBe(60)
    await updateProjectSettings(store, 1, (settings) => ({ traces: { ...settings.traces, megabytes: 1 } }))
    await runner.check()
    expect(count('trace_segments')).toBeLessThan(50)
    expect(count('trace_segments')).toBeGreaterThan(40)
    // A whole run would have deleted the surplus event.
    expect(keptIds()).toHaveLength(2)
    expect(lines.at(-1)).toMatchObject(['info', expect.stringMatching(/traces over the budget/), {}])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('stops between two steps, and leaves no step unfinished', async () => {
    const { store, receive, keep, keptIds, runner, newRunner, lines } = await openRunner()
    for (let batch = 0; batch < 10; batch += 1) {
      await receive(...Array.from({ length: 300 }, (_, index) => ofIssue(`${index % 7}`)))
    }
    await keep(1, { events: 10 })
    const checking = runner.check()
    await expect.poll(() => keptIds().length, { interval: 1 }).toBeLessThan(3_000)
    // The lease is free once both have ended.
    const [result] = await Promise.all([checking, runner.stop()])
    expect(result).toBe('unfinished')
    expect(findBrokenInvariants(store)).toEqual([])
    expect(lines.filter(([level]) => level === 'error')).toEqual([])
    await newRunner().check()
    expect(keptIds()).toHaveLength(10)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('logs that the store was closed during a run, and does not throw', async () => {
    const { store, runner, lines } = await openRunner()
    await store.close()
    await runner.check()
    expect(lines.length).toBeGreaterThan(0)
  })
})
