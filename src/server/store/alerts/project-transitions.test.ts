import { expect, it } from 'vitest'
import { toNoticeKey } from '#alerts/notice.ts'
import type { AlertRule } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { parseDeliveryMessage } from '#server/store/alerts/deliveries/message.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { CommitEntry } from '#server/store/ingest/records.ts'
import { recordRelease } from '#server/store/releases/changes.ts'
import type { SessionBucketRecord } from '#server/store/sessions/record.ts'
import type { Store } from '#server/store/store.ts'
import { openAlertStore, opsRule } from '#test/alert-store.ts'
import { toSessionItem } from '#test/session-item.ts'
import { makeEventRecord, testId, testNow, entryOf } from '#test/test-store.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { compareCrashFree } from './crash-free.ts'
import { decideWaitingAlerts } from './decisions.ts'
import { dryRunRule } from './history/dry-run.ts'
import { listInbox } from './inbox.ts'
import { compareTroubles } from './troubles.ts'

const everyTransition: AlertRule = {
  ...opsRule,
  transitions: ['release', 'first_event'],
  actions: [{ kind: 'members' }],
}

/** A store with a member and an owner, and no rule but the built-in ones. */
async function openAlerts(rules: Partial<AlertRule>[] = []) {
  const time = { now: testNow }
  const { store, ruleIds } = await openAlertStore({
    clock: () => time.now,
    users: [
      { userId: 'ada', role: 'owner' },
      { userId: 'bob', role: 'member' },
    ],
    rules: rules.map((changes) => ({ ...everyTransition, ...changes })),
  })
  const committer = createCommitter(store)
  const commit = async (work: Partial<CommitEntry>) => {
    await committer.commit({ events: [], outcomes: [], deadLetters: [], ...work })
    await committer.drain()
  }
  return {
    store,
    time,
    ruleIds,
    commit,
    /** Queues transitions by name, and decides them. */
    take: async (by: Store = store) => {
      const rows = store.connection
        .prepare('SELECT kind, issue_id FROM alert_transitions ORDER BY at, id')
        .all()
      while ((await decideWaitingAlerts(by, { now: time.now, hasMail: true })) > 0);
      return rows.flatMap((row) => (row['issue_id'] === 0 ? [String(row['kind'])] : [])).toSorted()
    },
    inboxOf: async (userId: string) => {
      const items = await listInbox(store.db, { userId, projectIds: [1], isUnreadOnly: true })
      return items.map(({ transition, notice }) => `${transition}: ${notice?.title}`).toSorted()
    },
  }
}

const event = (name: string, release?: string) =>
  makeEventRecord({
    eventId: testId(name),
    groupHash: testId('group'),
    release,
    occurredAt: testNow,
    receivedAt: testNow,
  })

function bucket(release: string, healthy: number, crashed: number): SessionBucketRecord {
  return {
    kind: 'bucket',
    projectId: 1,
    release,
    environment: 'production',
    startedAt: testNow,
    counts: { healthy, errored: 0, unhandled: 0, abnormal: 0, crashed },
  }
}

it('reports a release once, whether an event, a session or a tool was first', async () => {
  const { commit, take, store, inboxOf } = await openAlerts([{ transitions: ['release'] }])
  await commit(entryOf(event('one', 'web@1'), event('two', 'web@1')))
  expect(await take()).toEqual(['first_event', 'release'])
  await commit({ sessions: [toSessionItem(bucket('web@1', 1, 0)), toSessionItem(bucket('web@2', 1, 0))] })
  expect(await take()).toEqual(['release'])
  await recordRelease(store, { version: 'web@2', projectIds: [1] })
  await recordRelease(store, { version: 'web@3', projectIds: [1] })
  expect(await take()).toEqual(['release'])
  await commit(entryOf(event('three', 'web@3')))
  expect(await take()).toEqual([])
  expect(await inboxOf('bob')).toEqual(['release: web@1', 'release: web@2', 'release: web@3'])
})

it('reports the first event of a project, and never again', async () => {
  const { commit, take, inboxOf } = await openAlerts([{ transitions: ['first_event'] }])
  await commit(entryOf(event('one')))
  await commit(
    entryOf(makeEventRecord({ eventId: testId('two'), groupHash: testId('other'), receivedAt: testNow })),
  )
  expect(await take()).toEqual(['first_event'])
  expect(await inboxOf('bob')).toHaveLength(1)
})

const limited = (at: number) => ({
  outcomes: [
    {
      projectId: 1,
      category: 'error',
      outcome: 'rate_limited' as const,
      reason: 'project_limit',
      quantity: 5,
      at,
    },
  ],
})

it('reports a reached limit to owners and admins, and its end after a quiet time', async () => {
  const { commit, take, time, store, inboxOf } = await openAlerts()
  await commit(limited(time.now))
  await commit(limited(time.now + 1))
  expect(await take()).toEqual(['trouble'])
  expect(await inboxOf('ada')).toEqual(['trouble: A rate limit is reached, events are rejected'])
  expect(await inboxOf('bob')).toEqual([])
  time.now += limits.alertTroubleQuietMs - 1
  await commit(limited(time.now))
  time.now += limits.alertTroubleQuietMs - 1
  await compareTroubles(store, { now: time.now, space: undefined })
  expect(await take()).toEqual([])
  time.now += 1
  const other = await store.openAgain()
  await Promise.all([store, other].map((each) => compareTroubles(each, { now: time.now, space: undefined })))
  expect(await take()).toEqual(['trouble_over'])
  await commit(limited(time.now))
  expect(await take()).toEqual(['trouble'])
  // By default it does not fill the mailbox of an admin.
  expect(store.connection.prepare('SELECT 1 FROM alert_deliveries').get()).toBeUndefined()
})

it('does not report the limit of a single address', async () => {
  const { commit, take } = await openAlerts()
  const [outcome] = limited(testNow).outcomes
  if (outcome !== undefined) await commit({ outcomes: [{ ...outcome, reason: 'address_limit' }] })
  expect(await take()).toEqual([])
})

it('reports spike protection with the issue that caused it', async () => {
  const { commit, take, time, inboxOf, store } = await openAlerts()
  const spikeProtection = { fullEvents: 1, windowSeconds: 60, sampleEvery: 1_000 }
  const events = ['one', 'two', 'three'].map((name) => Object.assign(event(name), { spikeProtection }))
  await commit(entryOf(...events))
  await commit(entryOf(Object.assign(event('four'), { spikeProtection })))
  expect(await take()).toEqual(['first_event', 'trouble'])
  expect(await inboxOf('ada')).toEqual([
    'trouble: Spike protection is on, some events of an issue are only counted',
  ])
  const [item] = await listInbox(store.db, { userId: 'ada', projectIds: [1], isUnreadOnly: true })
  expect(item?.notice?.subject).toMatch(/^\d+$/)
  time.now += limits.alertTroubleQuietMs
  await compareTroubles(store, { now: time.now, space: undefined })
  expect(await take()).toEqual(['trouble_over'])
  const items = await listInbox(store.db, { userId: 'ada', projectIds: [1], isUnreadOnly: true })
  // By it PagerDuty and Alertmanager resolve the incident.
  expect(items.map(({ notice }) => notice && toNoticeKey(notice))).toEqual(['spike', 'spike'])
})

const mb = 1024 * 1024

it('reports once a disk that is nearly full, then full, and each end', async () => {
  const { store, time, take } = await openAlerts()
  store.connection.exec('UPDATE projects SET is_built_in = 1 WHERE id = 1')
  const other = await store.openAgain()
  const compare = async (freeMb: number) => {
    const space = { freeBytes: freeMb * mb, floorBytes: 256 * mb }
    for (const each of [store, other]) await compareTroubles(each, { now: time.now, space })
    return take()
  }
  expect(await compare(1_000)).toEqual([])
  expect(await compare(500)).toEqual(['trouble'])
  expect(await compare(200)).toEqual(['trouble'])
  // Just above the floor nothing changes.
  expect(await compare(300)).toEqual([])
  expect(await compare(400)).toEqual(['trouble_over'])
  await compareTroubles(store, { now: time.now, space: undefined })
  expect(await take()).toEqual([])
  expect(await compare(1_000)).toEqual(['trouble_over'])
})

it('reports an upstream that does not accept, and not while it is paused', async () => {
  const { store, time, take, inboxOf } = await openAlerts()
  const set = (state: object, isPaused = 0) => {
    store.connection
      .prepare('UPDATE upstreams SET state = ?, is_paused = ?')
      .run(JSON.stringify(state), isPaused)
  }
  store.connection.exec(`INSERT INTO upstreams (project_id, id, dsn, kinds, source, created_at)
    VALUES (1, 'up', 'https://key@sentry.example/7', 'all', 'settings', 0)`)
  const compare = async () => {
    await compareTroubles(store, { now: time.now, space: undefined })
    return take()
  }
  set({ failureCount: limits.alertUpstreamFailures - 1, answer: '503' })
  expect(await compare()).toEqual([])
  set({ failureCount: limits.alertUpstreamFailures, answer: '503' })
  expect(await compare()).toEqual(['trouble'])
  expect(await compare()).toEqual([])
  expect(await inboxOf('ada')).toEqual([
    'trouble: An upstream does not accept envelopes: sentry.example, 503',
  ])
  set({ failureCount: 9, answer: '503' }, 1)
  expect(await compare()).toEqual(['trouble_over'])
  set({ failureCount: 0, answer: '200' })
  store.connection.exec('UPDATE upstreams SET failed_count = 1')
  expect(await compare()).toEqual(['trouble'])
  // The rejected envelope is still there.
  set({ failureCount: limits.alertUpstreamFailures, answer: '502' })
  expect(await compare()).toEqual(['trouble'])
  set({ failureCount: 0, answer: '200' })
  expect(await compare()).toEqual(['trouble_over'])
  const begun = (await inboxOf('ada')).filter((title) => title.startsWith('trouble:'))
  expect(begun.map((title) => title.split('.example, ')[1])).toEqual(['502', '503', 'one was rejected'])
})

it('throttles each release and each problem by itself', async () => {
  const { store, commit, time, take, inboxOf } = await openAlerts([
    { transitions: ['release', 'trouble'], throttleMs: dayMs },
  ])
  store.connection.exec('UPDATE projects SET is_built_in = 1 WHERE id = 1')
  await commit(entryOf(event('one', 'web@1')))
  await commit(entryOf(event('two', 'web@2')))
  await commit(limited(time.now))
  await take()
  const space = { freeBytes: 200 * mb, floorBytes: 256 * mb }
  await compareTroubles(store, { now: time.now, space })
  expect(await take()).toEqual(['trouble', 'trouble'])
  time.now += limits.alertTroubleQuietMs
  await compareTroubles(store, { now: time.now, space })
  await commit(limited(time.now))
  expect(await take()).toEqual(['trouble', 'trouble_over'])
  expect(await inboxOf('bob')).toEqual([
    'release: web@1',
    'release: web@2',
    'trouble: A rate limit is reached, events are rejected',
    'trouble: The disk is full, no events are accepted',
    'trouble: The disk is nearly full, old events are deleted early',
  ])
})

const crashFree = { of: 'sessions', below: 99, isOfRelease: true, windowMs: hourMs, atLeast: 100 } as const

it('reports a release whose crash-free rate is too low, in one of several processes, and its end', async () => {
  const { store, commit, time, take, inboxOf, ruleIds } = await openAlerts([
    { transitions: ['crash_free', 'crash_free_normal'], crashFree },
  ])
  const other = await store.openAgain()
  const compare = async () => {
    await Promise.all([store, other].map((each) => compareCrashFree(each, { now: time.now })))
    return (await take()).filter((kind) => kind !== 'release')
  }
  await commit({
    sessions: [
      toSessionItem(bucket('web@1', 500, 0)),
      toSessionItem(bucket('web@2', 95, 5)),
      toSessionItem(bucket('web@3', 1, 1)),
    ],
  })
  expect(await compare()).toEqual(['crash_free'])
  expect(await compare()).toEqual([])
  await commit({ sessions: [toSessionItem(bucket('web@2', 900, 0))] })
  time.now += 1_000
  expect(await compare()).toEqual(['crash_free_normal'])
  const titles = [
    'crash_free: 95.00% of 100 sessions without a crash in an hour in web@2, less than 99%',
    'crash_free_normal: 99.50% of 1,000 sessions without a crash in an hour in web@2',
  ]
  expect(await inboxOf('bob')).toEqual(titles)
  const [first] = await store.db.selectFrom('alert_deliveries').selectAll().orderBy('id').execute()
  expect(first && parseDeliveryMessage(first)?.transitions[0]).toMatchObject({
    issueId: 0,
    transition: 'crash_free',
    ruleIds,
    notice: { release: 'web@2' },
  })
})

it('counts only sessions that match the filters, and forgets a deleted rule', async () => {
  const { store, commit, time, take, inboxOf } = await openAlerts([
    {
      transitions: ['crash_free'],
      crashFree: { ...crashFree, isOfRelease: false },
      filters: [
        { kind: 'environment', is: true, value: 'production' },
        { kind: 'release', is: false, value: 'web@1' },
      ],
    },
  ])
  await commit({
    sessions: [toSessionItem(bucket('web@1', 0, 500)), toSessionItem(bucket('web@2', 110, 0))],
  })
  await compareCrashFree(store, { now: time.now })
  expect(await take()).not.toContain('crash_free')
  await commit({ sessions: [toSessionItem(bucket('web@2', 0, 90))] })
  await compareCrashFree(store, { now: time.now })
  expect(await take()).toContain('crash_free')
  expect(await inboxOf('bob')).toEqual([
    'crash_free: 55.0% of 200 sessions without a crash in an hour, less than 99%',
  ])
  store.connection.exec('DELETE FROM alert_rules')
  await compareCrashFree(store, { now: time.now })
  expect(store.connection.prepare('SELECT 1 FROM alert_troubles').get()).toBeUndefined()
})

it('has a dry run that equals the messages that would have been sent', async () => {
  const { store, commit, time, take } = await openAlerts()
  await commit(entryOf(event('one', 'web@1'), event('two', 'web@2')))
  await commit(limited(testNow))
  await commit({ sessions: [toSessionItem(bucket('web@2', 50, 60))] })
  await take()
  const tryOut = async (changes: Partial<AlertRule>) => {
    const { sentCount, topIssues } = await dryRunRule(store.db, {
      rule: { id: '', rule: { ...everyTransition, ...changes } },
      organizationId: 1,
      projectIds: [1],
      now: time.now + 1,
    })
    return [sentCount, ...topIssues.map(({ title }) => title)]
  }
  expect(await tryOut({ transitions: ['release'] })).toEqual([2, 'web@1', 'web@2'])
  const onlyOne = [{ kind: 'release', is: true, value: 'web@2' }] as const
  expect(await tryOut({ transitions: ['release'], filters: [...onlyOne] })).toEqual([1, 'web@2'])
  expect(await tryOut({ transitions: ['first_event'] })).toMatchObject([1, expect.any(String)])
  expect(await tryOut({ transitions: ['trouble'] })).toEqual([
    1,
    'A rate limit is reached, events are rejected',
  ])
  expect(await tryOut({ transitions: ['crash_free'], crashFree })).toEqual([
    1,
    '45.4% of 110 sessions without a crash in an hour in web@2, less than 99%',
  ])
})
