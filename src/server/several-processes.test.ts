import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { startFakeUpstream } from '#test/fake-upstream.ts'
import { forwarderOptions } from '#test/forwarder-options.ts'
import { openTestStore, testNow, entryOf, makeEventRecord, testId } from '#test/test-store.ts'
import { createSetupToken, isSetupToken } from './auth/new-accounts.ts'
import { createSignInThrottle } from './auth/sign-in/throttle.ts'
import { createForwarder } from './forward/forwarder.ts'
import { toLeaseName } from './forward/lease-name.ts'
import { createProjectKeys } from './ingest/project-keys.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import { createRetentionRunner } from './retention/runner.ts'
import { createCommitter } from './store/ingest/committer.ts'
import { takeLease } from './store/installation/lease.ts'
import { findSetting, retentionRanAtKey } from './store/installation/settings.ts'
import { createProject } from './store/projects/projects.ts'
import type { Store } from './store/store.ts'
import { reopenByTime } from './store/triage/reopening.ts'
import { recordIssueStatus } from './store/triage/status.ts'
import { createUpstream } from './store/upstreams/upstreams.ts'

const quiet: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** Two connections to one database, as two processes have them, with a clock that the test moves. */
async function openTwo() {
  let now = testNow
  const one = await openTestStore({ clock: () => now })
  const other = await one.openAgain()
  return { one, other, pass: (ms: number) => void (now += ms) }
}

/** The forwarder of a process. */
function createForwarderOf(store: Store) {
  const forwarder = createForwarder({
    store,
    committer: createCommitter(store),
    log: quiet,
    ...forwarderOptions,
  })
  onTestFinished(() => forwarder.stop())
  return forwarder
}

/** The forwarders of both, and a queue of envelopes to one upstream. */
async function openForwarding() {
  const { one, other, pass } = await openTwo()
  const upstream = await startFakeUpstream()
  onTestFinished(() => upstream.close())
  const dsn = parseDsn(`http://${'a'.repeat(32)}@up.example/7`)
  const created = dsn && (await createUpstream(one, { projectId: 1, dsn, connect: upstream.address }))
  if (created?.outcome !== 'created') throw new Error('no upstream')
  const { upstreamId } = created
  const committer = createCommitter(one)
  const queued = { projectId: 1, upstreamId, category: 'error' as const, receivedAt: testNow }
  let count = 0
  return {
    first: createForwarderOf(one),
    second: createForwarderOf(other),
    pass,
    /** Queues three envelopes. */
    put: async () => {
      const outbox = Array.from({ length: 3 }, () => ({
        ...queued,
        body: Buffer.from(`{}\n${(count += 1)}`),
      }))
      await committer.commit({ events: [], outcomes: [], deadLetters: [], outbox })
    },
    sent: () => upstream.requests.map(({ body }) => body.toString()),
    holdLeaseAsKilled: () => takeLease(one, toLeaseName(upstreamId), 'killed'),
    holders: async () =>
      (await one.db.selectFrom('leases').select('holder').execute()).map((row) => row.holder),
  }
}

describe('two processes on one database', () => {
  it('count wrong passwords together', async () => {
    const { one, other } = await openTwo()
    const throttles = [createSignInThrottle(one), createSignInThrottle(other)]
    const names = [{ rule: 'pair' as const, text: 'ada' }]
    const tries = await Promise.all(
      throttles.flatMap((throttle) => Array.from({ length: 20 }, () => throttle.begin(names))),
    )
    expect(tries.filter(({ kind }) => kind === 'go')).toHaveLength(limits.signInFreeFailures)
  })

  it('each print a link to create the owner account, and both links are valid for a while', async () => {
    const { one, other, pass } = await openTwo()
    const first = (await createSetupToken(one)) ?? ''
    pass(limits.setupTokenMs - 1)
    const second = (await createSetupToken(other)) ?? ''
    const accepted = () => Promise.all([first, second, 'x'].map((token) => isSetupToken(other, token)))
    expect(await accepted()).toEqual([true, true, false])
    pass(1)
    expect(await accepted()).toEqual([false, true, false])
    pass(10 * limits.setupTokenMs)
    expect(await accepted()).toEqual([false, true, false])
    await Promise.all(Array.from({ length: 20 }, () => createSetupToken(one)))
    const tokens = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createSetupToken(index % 2 ? one : other)),
    )
    expect(await Promise.all(tokens.map((token) => isSetupToken(one, token ?? '')))).not.toContain(false)
  })

  it('apply keys that the other one added at once, and changed keys after a second', async () => {
    const { one, other, pass } = await openTwo()
    const keys = await createProjectKeys(other)
    const { publicKey } = await createProject(one, { name: 'New' })
    await expect.poll(() => keys.find(publicKey)).toBeDefined()
    await one.writer.updateTable('project_keys').set({ is_active: 0 }).execute()
    pass(limits.projectKeysMaxAgeMs)
    await expect.poll(async () => (await keys.find(publicKey))?.isActive).toBe(false)
  })

  it('give distinct ids and slugs to projects that are created at the same time', async () => {
    const { one, other } = await openTwo()
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createProject(index % 2 ? one : other, { name: 'Same name' })),
    )
    expect(new Set(added.map(({ id }) => id)).size).toBe(20)
    const slugs = await one.db.selectFrom('projects').select('slug').execute()
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(22)
  })

  it('store an event that arrives at both only once, and give each new issue its own number', async () => {
    const { one, other } = await openTwo()
    const committers = [createCommitter(one), createCommitter(other)]
    const events = Array.from({ length: 60 }, (_, index) =>
      makeEventRecord({ eventId: testId(`${index}`), groupHash: testId(`group ${index % 20}`) }),
    )
    const results = await Promise.all(
      committers.flatMap((committer) => events.map((event) => committer.commit(entryOf(event)))),
    )
    const became = Map.groupBy(
      results.flatMap((result) => result.events),
      (result) => result,
    )
    expect([became.get('accepted')?.length, became.get('duplicate')?.length]).toEqual([60, 60])
    await Promise.all(committers.map((committer) => committer.close()))
    const issues = await one.db.selectFrom('issues').select(['number', 'event_count']).execute()
    expect(issues.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    expect(issues.reduce((sum, { event_count: count }) => sum + count, 0)).toBe(60)
  })

  it('forward to an upstream one at a time; when that one stops the other continues, after a kill when its lease ends', async () => {
    const { first, second, pass, put, sent, holdLeaseAsKilled, holders } = await openForwarding()
    const deliver = () => second.deliver({ sendMs: 20_000, awaitLeaseMs: 0 }, 'always')
    await put()
    first.start()
    await expect.poll(sent).toHaveLength(3)
    const [holder] = await holders()
    await put()
    await deliver()
    expect(await holders()).toEqual([holder])
    await expect.poll(sent).toHaveLength(6)

    await first.stop()
    await put()
    await deliver()
    expect(sent()).toHaveLength(9)

    await holdLeaseAsKilled()
    await put()
    await deliver()
    expect(sent()).toHaveLength(9)
    pass(limits.leaseMs)
    await deliver()
    expect(new Set(sent()).size).toBe(12)
  })

  it('reopen an archived issue once when its time has passed', async () => {
    const { one, other, pass } = await openTwo()
    const committer = createCommitter(one)
    await committer.commit(entryOf(makeEventRecord()))
    await committer.close()
    const [issue] = await one.db.selectFrom('issues').select('id').execute()
    await recordIssueStatus(
      one,
      { issueIds: [issue?.id ?? 0], projectIds: [1] },
      { userId: 'ada', at: testNow, change: { status: 'archived', until: { at: testNow + 1_000 } } },
    )
    pass(2_000)
    const reopened = await Promise.all(
      Array.from({ length: 10 }, (_, index) => reopenByTime(index % 2 ? one : other, one.clock())),
    )
    expect(reopened.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(await one.db.selectFrom('issue_activity').select('kind').execute()).toHaveLength(2)
  })

  it('run retention once in its interval, after a first run of each', async () => {
    const { one, other, pass } = await openTwo()
    const runners = [one, other].map((store) =>
      createRetentionRunner({ store, log: quiet, maxBytes: 10 ** 12, random: () => 0.5 }),
    )
    const ranAt = async () => Number(await findSetting(one.db, retentionRanAtKey))
    for (const runner of runners) {
      pass(60_000)
      await runner.check()
      expect(await ranAt()).toBe(one.clock())
    }
    const interval = 1.2 * limits.retentionIntervalMs
    pass(interval)
    const later = performance.now() + interval
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
    onTestFinished(() => clock.mockRestore())
    await runners[0]?.check()
    const last = await ranAt()
    expect(last).toBe(one.clock())
    pass(60_000)
    await runners[1]?.check()
    expect(await ranAt()).toBe(last)
  })
})
