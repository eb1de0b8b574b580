import { describe, expect, it } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { explainRules } from '#server/store/alerts/history/explanation.ts'
import { recordAlertRule, updateAlertRule } from '#server/store/alerts/rules.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import type { Store } from '#server/store/store.ts'
import { recordMerge, recordUnmerge } from '#server/store/triage/merge.ts'
import { recordUndo } from '#server/store/triage/undo.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds, entryOf } from '#test/test-store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import { compareThresholds } from './thresholds.ts'
import { readWindowCounts } from './window-counts.ts'

const tenEvents = { of: 'events', atLeast: 10, unit: 'count', windowMs: minuteMs } as const
const secondMs = minuteMs / 60
const issueIdOf = (name: string) => issueIdCandidate(1, testId(name), 0)
const issueId = issueIdOf('group')
const ada = { userId: 'ada', at: testNow }

/** A store with one rule and a manual clock. */
async function openWatched(changes: Partial<AlertRule> = {}) {
  const time = { now: testNow }
  const store = await openTestStore({ clock: () => time.now })
  store.connection.exec('DELETE FROM alert_rules')
  const rule = makeAlertRule({
    name: 'Many',
    transitions: ['threshold', 'normal'],
    threshold: tenEvents,
    ...changes,
  })
  const ruleId = (await recordAlertRule(store, { organizationId: 1, rule })) ?? ''
  const committer = createCommitter(store)
  let sent = 0
  const read = (sql: string) => store.connection.prepare(sql).all()
  return {
    store,
    time,
    rule,
    ruleId,
    /** Commits events of one issue; a `user` makes each of another one. */
    receive: async (
      count: number,
      {
        user = 'ada',
        issue = 'group',
        spikeProtection,
      }: { user?: 'each' | 'ada'; issue?: string } & Pick<EventRecord, 'spikeProtection'> = {},
    ) => {
      const events = Array.from({ length: count }, () => {
        sent += 1
        return makeEventRecord({
          eventId: testId(`event ${sent}`),
          groupHash: testId(issue),
          userKey: user === 'each' ? `id:${sent}` : 'id:ada',
          occurredAt: time.now,
          receivedAt: time.now,
          ...(spikeProtection && { spikeProtection }),
        })
      })
      await committer.commit(entryOf(...events))
      await committer.drain()
    },
    /** Compares like a process that has just started. Returns the transitions that it queued. */
    compare: async (by: Store = store) => {
      await compareThresholds(by, { now: time.now, lastRuns: new Map() })
      const queued = read(
        "SELECT kind FROM alert_transitions WHERE kind IN ('threshold', 'normal') ORDER BY id",
      )
      await decideWaitingAlerts(store, { now: time.now, hasMail: false })
      return queued.map((row) => String(row['kind']))
    },
    results: () =>
      read('SELECT kind, result FROM alert_decisions ORDER BY decided_at, kind').map(
        (row) => `${String(row['kind'])} ${String(row['result'])}`,
      ),
    count: (table: string) => Number(read(`SELECT count(*) AS n FROM ${table}`)[0]?.['n']),
    /** Merges an issue into another one. Returns how to undo it. */
    merge: async (from: string, into: string) => {
      const intoId = issueIdOf(into)
      const selection = { issueIds: [issueIdOf(from), intoId], projectIds: testProjectIds }
      const merged = await recordMerge(store, selection, { ...ada, intoId })
      const actionId = 'actionId' in merged ? merged.actionId : ''
      return () => recordUndo(store, { issueIds: [intoId], projectIds: testProjectIds }, { ...ada, actionId })
    },
    unmerge: (part: string, from: string) =>
      recordUnmerge(
        store,
        { issueIds: [issueIdOf(from)], projectIds: testProjectIds },
        { ...ada, partIds: [issueIdOf(part)] },
      ),
    /** The events in the window of each issue. */
    counted: async (...names: string[]) => {
      const { threshold = tenEvents } = rule
      const window = { ...threshold, projectId: 1, now: time.now }
      const counts = names.map((name) => readWindowCounts(store.db, { ...window, issueId: issueIdOf(name) }))
      return (await Promise.all(counts)).map(({ count }) => count)
    },
  }
}

it('is crossed at its limit, once while the events go on, and again after they have calmed down', async () => {
  const { receive, compare, time, results } = await openWatched()
  await receive(9)
  expect(await compare()).toEqual([])
  await receive(1)
  expect(await compare()).toEqual(['threshold'])
  for (let step = 0; step < 20; step += 1) {
    time.now += 10 * secondMs
    await receive(5)
    expect(await compare()).toEqual([])
  }
  time.now += 2 * minuteMs
  expect(await compare()).toEqual(['normal'])
  expect(await compare()).toEqual([])
  await receive(10)
  expect(await compare()).toEqual(['threshold'])
  // The organization of the test has no members.
  expect(results()).toEqual(['threshold no_receiver', 'normal no_receiver', 'threshold no_receiver'])
})

it.each([
  [0, limits.alertTickMs],
  [limits.alertCompareMs, limits.alertCompareMs],
])('after a comparison that took %i ms, the next one is %i ms later', async (tookMs, restMs) => {
  const { store, time, receive } = await openWatched()
  const lastRuns = new Map<string, number>()
  await compareThresholds(store, { now: time.now, lastRuns })
  lastRuns.set('took', tookMs)
  await receive(10)
  expect(await compareThresholds(store, { now: time.now + restMs - 1, lastRuns })).toBe(0)
  expect(await compareThresholds(store, { now: time.now + restMs, lastRuns })).toBe(1)
})

it('counts by the time of arrival, not of occurrence', async () => {
  const { receive, compare, time } = await openWatched()
  await receive(5)
  time.now += 2 * minuteMs
  await receive(5)
  expect(await compare()).toEqual([])
})

it('counts events that spike protection does not store', async () => {
  const { receive, compare, count } = await openWatched()
  await receive(10, { spikeProtection: { isOn: true, fullEvents: 1, windowSeconds: 60, sampleEvery: 1_000 } })
  expect(count('events')).toBeLessThan(10)
  expect(await compare()).toEqual(['threshold'])
})

it('of users counts each one once', async () => {
  const { receive, compare } = await openWatched({ threshold: { ...tenEvents, of: 'users' } })
  await receive(500)
  expect(await compare()).toEqual([])
  await receive(9, { user: 'each' })
  expect(await compare()).toEqual(['threshold'])
})

it('in percent compares with the window before', async () => {
  const { receive, compare, time } = await openWatched({
    threshold: { ...tenEvents, unit: 'percent', atLeast: 300 },
  })
  await receive(50)
  expect(await compare()).toEqual([])
  time.now += minuteMs
  await receive(149)
  expect(await compare()).toEqual([])
  await receive(1)
  expect(await compare()).toEqual(['threshold'])
})

it('is crossed by each issue for itself, and only in the projects of the rule', async () => {
  const { receive, compare, store, ruleId, rule, time } = await openWatched()
  await receive(10, { issue: 'a' })
  await receive(10, { issue: 'b' })
  await receive(9, { issue: 'c' })
  expect(await compare()).toEqual(['threshold', 'threshold'])
  await updateAlertRule(store, { organizationId: 1, ruleId, projectId: 2, rule })
  time.now += hourMs
  await receive(10, { issue: 'c' })
  expect(await compare()).toEqual([])
})

it('is crossed once for several processes and after a restart', async () => {
  const { receive, compare, store, time, count } = await openWatched()
  await receive(50)
  const other = await store.openAgain()
  await Promise.all(
    [store, other, store].map((each) => compareThresholds(each, { now: time.now, lastRuns: new Map() })),
  )
  expect(count("alert_transitions WHERE kind = 'threshold'")).toBe(1)
  time.now += 5 * secondMs
  expect(await compare(other)).toEqual(['threshold'])
  expect(count('alert_thresholds')).toBe(1)
})

it('decides only for its own rule, by the filters and the throttle of that rule', async () => {
  const { receive, compare, store, rule, time, results } = await openWatched({
    filters: [{ kind: 'tag', is: true, key: 'browser', value: 'Firefox' }],
  })
  const other = { ...rule, name: 'More', threshold: { ...tenEvents, atLeast: 1_000 }, filters: [] }
  await recordAlertRule(store, { organizationId: 1, rule: other })
  await receive(20)
  expect(await compare()).toEqual(['threshold'])
  expect(results()).toEqual([])
  time.now += hourMs
  expect(await compare()).toEqual(['normal'])
  await receive(1_000)
  expect(await compare()).toEqual(['threshold', 'threshold'])
  expect(results()).toEqual(['threshold no_receiver'])
})

it('counts nothing in projects without a rule, and deletes counts that no window needs', async () => {
  const { receive, compare, store, rule, ruleId, time, count } = await openWatched()
  await receive(10)
  expect(count('alert_windows')).toBe(1)
  time.now += hourMs
  await receive(10)
  await compare()
  expect(count('alert_windows')).toBe(1)
  await updateAlertRule(store, { organizationId: 1, ruleId, rule: { ...rule, isEnabled: false } })
  time.now += hourMs
  await receive(10)
  expect(count('alert_windows')).toBe(1)
})

it('keeps the counts of three windows at most, even while no threshold is crossed', async () => {
  const { receive, store, time, count } = await openWatched({ threshold: { ...tenEvents, atLeast: 1_000 } })
  const lastRuns = new Map()
  for (let step = 0; step < 100; step += 1) {
    time.now += 5 * secondMs
    await receive(1)
    // A comparison takes real time, and the next one waits for a multiple of it.
    lastRuns.delete('took')
    await compareThresholds(store, { now: time.now, lastRuns })
    expect(count('alert_windows')).toBeLessThanOrEqual(36)
  }
})

describe('of merged issues', () => {
  it('is crossed by the sum of their events', async () => {
    const { receive, compare, merge } = await openWatched()
    await receive(6, { issue: 'a' })
    await receive(4, { issue: 'b' })
    expect(await compare()).toEqual([])
    await merge('b', 'a')
    expect(await compare()).toEqual(['threshold'])
  })

  it('of users counts a user of both once', async () => {
    const { receive, merge, counted } = await openWatched({ threshold: { ...tenEvents, of: 'users' } })
    for (const issue of ['a', 'b']) {
      await receive(1, { issue })
      await receive(4, { issue, user: 'each' })
    }
    await merge('b', 'a')
    await receive(2, { issue: 'b', user: 'each' })
    expect(await counted('a', 'b')).toEqual([11, 0])
  })

  it('is neither crossed again nor back to normal because of the merge', async () => {
    const { receive, compare, merge, time } = await openWatched()
    await receive(10, { issue: 'a' })
    await receive(1, { issue: 'b' })
    expect(await compare()).toEqual(['threshold'])
    await merge('a', 'b')
    await receive(10, { issue: 'a' })
    expect(await compare()).toEqual([])
    time.now += 2 * minuteMs
    expect(await compare()).toEqual(['normal'])
    expect(await compare()).toEqual([])
  })

  it('has its own counts again after an unmerge, with those since the merge', async () => {
    const { receive, compare, merge, unmerge, counted } = await openWatched()
    await receive(10, { issue: 'b' })
    expect(await compare()).toEqual(['threshold'])
    await receive(3, { issue: 'a' })
    await merge('b', 'a')
    await receive(2, { issue: 'b' })
    await receive(1, { issue: 'a' })
    expect(await counted('a', 'b')).toEqual([16, 0])
    await unmerge('b', 'a')
    expect(await counted('a', 'b')).toEqual([4, 12])
    // Now `b` has crossed it, as before the merge.
    expect(await compare()).toEqual(['normal'])
    await receive(1, { issue: 'b' })
    expect(await counted('a', 'b')).toEqual([4, 13])
  })

  it('adds up the counts of a merge of merges, which can be undone', async () => {
    const { receive, merge, counted } = await openWatched()
    for (const [at, issue] of ['a', 'b', 'c', 'd'].entries()) await receive(at + 1, { issue })
    await merge('b', 'a')
    await merge('d', 'c')
    const undo = await merge('c', 'a')
    await receive(1, { issue: 'd' })
    expect(await counted('a', 'b', 'c', 'd')).toEqual([11, 0, 0, 0])
    await undo()
    expect(await counted('a', 'b', 'c', 'd')).toEqual([3, 0, 8, 0])
    await receive(1, { issue: 'c' })
    expect(await counted('a', 'b', 'c', 'd')).toEqual([3, 0, 9, 0])
  })
})

it('is explained with its count', async () => {
  const { receive, store, time } = await openWatched()
  await receive(7)
  const [explanation] = await explainRules(store.db, {
    organizationId: 1,
    projectId: 1,
    issueId,
    now: time.now,
  })
  expect(explanation?.conditions[0]).toEqual({
    expected: 'has 10 or more events in a minute',
    actual: '7 events',
    isMet: false,
  })
})
