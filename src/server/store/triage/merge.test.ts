import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '#server/limits.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import type { Store } from '#server/store/store.ts'
import { foldAllDeltas } from '#test/all-deltas.ts'
import { onPostgres } from '#test/engine.ts'
import { findIssueId, mergeIssues, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testId, testNow, testProjectIds } from '#test/test-store.ts'
import { hourOf } from '#time/time-steps.ts'
import { readIssueTriage } from './choices.ts'
import { recordDeletion } from './deletion.ts'
import { recordMerge, recordUnmerge } from './merge.ts'
import { recordUndo } from './undo.ts'

const ada = { userId: 'ada', at: testNow }

function select(store: Store, ...names: string[]) {
  const ids = names.map((name) => findIssueId(store, name) ?? -1)
  return { issueIds: ids, projectIds: testProjectIds }
}

/** The rows of an issue in all tables, as text. */
function describeIssue({ connection }: Store, issueId: number | undefined) {
  const list = (sql: string) =>
    connection
      .prepare(sql)
      .all(issueId ?? -1)
      .map((row) => Object.values(row).join(' '))
  return {
    row: list(
      `SELECT title, number, status, event_count, user_count, first_seen_at, last_seen_at, first_release, last_release
       FROM issues WHERE id = ?`,
    ),
    hours: list('SELECT hour, environment, event_count FROM issue_hours WHERE issue_id = ? ORDER BY 1, 2'),
    tags: list(
      'SELECT key, value, event_count, last_seen_at FROM issue_tags WHERE issue_id = ? ORDER BY 1, 2',
    ),
    users: list('SELECT user_hash FROM issue_users WHERE issue_id = ? ORDER BY 1'),
    environments: list('SELECT environment FROM issue_environments WHERE issue_id = ? ORDER BY 1'),
    events: list('SELECT event_id FROM events WHERE issue_id = ? ORDER BY occurred_at, event_id'),
  }
}

/** The events of an issue in each hour. */
function eventsOf(store: Store, name: string) {
  return describeIssue(store, findIssueId(store, name)).hours.map((hour) => hour.split(' ').at(-1))
}

/** The id of the merged part that an issue became; 0 for none. */
function findPartId({ connection }: Store, name: string): number {
  const row = connection
    .prepare('SELECT part_id FROM issue_hashes WHERE hash = ? AND part_id > 0')
    .get(Buffer.from(testId(`issue ${name}`), 'hex'))
  return Number(row?.['part_id'] ?? 0)
}

/** The clock is frozen, so that later events wait in deltas. */
async function flood(receive: (...events: Partial<EventRecord>[]) => Promise<unknown>): Promise<void> {
  const other = { ...ofIssue('other'), projectId: 2 }
  await receive(...Array.from({ length: limits.countersAtOncePerSecond }, () => other))
}

function foldWaiting(store: Store): Promise<void> {
  return store.writer.transaction().execute(async () => foldAllDeltas(store))
}

/** Three issues, of which `b` is merged from `b` and `c`, with an event of each that waits in a delta. */
async function openWaiting() {
  // No fold of the committer runs.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const kept = await openKeptStore()
  const { store, receive, count } = kept
  await receive(ofIssue('a'), ofIssue('b'), ofIssue('c'))
  await mergeIssues(store, 'c', 'b')
  await flood(receive)
  await receive(ofIssue('a'), ofIssue('b'), ofIssue('c'))
  expect(count('counter_deltas')).toBeGreaterThan(1)
  expect(eventsOf(store, 'a')).toEqual(['1'])
  return kept
}

describe('merging under load', () => {
  it('folds the deltas of the issues and their parts, and not those of other projects', async () => {
    const { store } = await openWaiting()
    const issueIds = ['a', 'b'].map((name) => findIssueId(store, name) ?? -1)
    const merged = await recordMerge(store, { issueIds, projectIds: testProjectIds }, ada)
    const actionId = 'actionId' in merged ? merged.actionId : ''
    expect(eventsOf(store, 'a')).toEqual(['6'])
    const ofProject = (id: number) =>
      store.connection.prepare('SELECT count(*) AS n FROM counter_deltas WHERE project_id = ?').get(id)?.['n']
    expect(ofProject(2)).toBe(1)
    await recordUndo(store, { issueIds, projectIds: testProjectIds }, { ...ada, actionId })
    await foldWaiting(store)
    expect([eventsOf(store, 'a'), eventsOf(store, 'b')]).toEqual([['2'], ['4']])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('folds the deltas of a part before it is unmerged', async () => {
    const { store } = await openWaiting()
    const partId = findPartId(store, 'c')
    await recordUnmerge(store, select(store, 'b'), { ...ada, partIds: [partId] })
    await foldWaiting(store)
    expect([eventsOf(store, 'b'), eventsOf(store, 'c')]).toEqual([['2'], ['2']])
    expect(findBrokenInvariants(store)).toEqual([])
  })
})

describe('merging', () => {
  it('adds all counters, and counts later events of either hash for both', async () => {
    const kept = await openKeptStore()
    const { store, receive } = kept
    const common = { userKey: 'id:1', release: 'web@1' }
    await receive(
      { ...ofIssue('a'), ...common, occurredAt: testNow - 5, tags: [['browser', 'Firefox']] },
      { ...ofIssue('b'), ...common, occurredAt: testNow - 9, tags: [['browser', 'Firefox']] },
      { ...ofIssue('b'), userKey: 'id:2', environment: 'staging', occurredAt: testNow - 7 },
    )
    const a = findIssueId(store, 'a')
    await mergeIssues(store, 'b', 'a')
    expect(findIssueId(store, 'b')).toBe(a)
    await receive({ ...ofIssue('b'), userKey: 'id:3', occurredAt: testNow - 1 })
    expect(describeIssue(store, a)).toMatchObject({
      row: [`b 2 unresolved 4 3 ${testNow - 9} ${testNow - 1} web@1 web@1`],
      hours: [`${hourOf(testNow)} production 3`, `${hourOf(testNow)} staging 1`],
      tags: [
        `browser Firefox 2 ${testNow - 5}`,
        `environment production 3 ${testNow - 1}`,
        `environment staging 1 ${testNow - 7}`,
      ],
      environments: ['production', 'staging'],
    })
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('keeps the first of issues with as many events', async () => {
    const { store, receive } = await openKeptStore()
    for (const name of ['a', 'b', 'c', 'd']) await receive(ofIssue(name))
    const first = findIssueId(store, 'a')
    const result = await recordMerge(store, select(store, 'd', 'b', 'a', 'c'), ada)
    expect(result).toMatchObject({ intoId: first })
    const [merged] = await store.db
      .selectFrom('issue_activity')
      .select('detail')
      .where('kind', '=', 'merged')
      .execute()
    expect(JSON.parse(merged?.detail ?? '{}')).toMatchObject({
      issues: ['b', 'c', 'd'].map((title) => ({ title })),
    })
    // Without the entries "merged this into" of the other issues, which are now its own.
    const { activity } = await readIssueTriage(store.db, { projectId: 1, issueId: first ?? -1 }, 'shop')
    expect(activity.map(({ kind }) => kind)).toEqual(['merged'])
  })

  it('includes pending counters of both issues', async () => {
    const { store, receive } = await openKeptStore()
    // More than are counted per second: the rest is left as a delta.
    const many = Array.from({ length: 150 }, (_, index) => ({ ...ofIssue(index % 2 ? 'a' : 'b') }))
    await receive(...many)
    await mergeIssues(store, 'b', 'a')
    const [hour] = describeIssue(store, findIssueId(store, 'a')).hours
    expect(hour).toBe(`${hourOf(testNow)} production 150`)
  })

  it.each([
    ['of two projects', 'different-projects'],
    ['of one issue', 'fewer-than-two'],
  ])('rejects a merge %s', async (what, rejected) => {
    const { store, receive } = await openKeptStore()
    await receive(ofIssue('a'), { ...ofIssue('b'), projectId: 2 })
    const ids = [findIssueId(store, 'a'), findIssueId(store, 'b', 2)].map((id) => id ?? -1)
    const issueIds = what === 'of one issue' ? ids.slice(0, 1) : ids
    expect(await recordMerge(store, { issueIds, projectIds: testProjectIds }, ada)).toEqual({ rejected })
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('keeps the issue with the most events by default', async () => {
    const { store, receive } = await openKeptStore()
    await receive(ofIssue('a'), ofIssue('b'), ofIssue('b'))
    const b = findIssueId(store, 'b')
    expect(await recordMerge(store, select(store, 'a', 'b'), ada)).toMatchObject({ intoId: b })
  })
})

describe('undoing and unmerging', () => {
  it('restores the counters of each issue, with the events since the merge', async () => {
    const { store, receive } = await openKeptStore()
    await receive({ ...ofIssue('a'), userKey: 'id:1' }, { ...ofIssue('b'), userKey: 'id:2' })
    const [a, b] = [findIssueId(store, 'a'), findIssueId(store, 'b') ?? -1]
    const before = describeIssue(store, a)
    await mergeIssues(store, 'b', 'a')
    await receive({ ...ofIssue('b'), userKey: 'id:2', tags: [['browser', 'Firefox']] })
    const unmerge = { ...ada, partIds: [b] }
    await recordUnmerge(store, select(store, 'a'), unmerge)
    expect(describeIssue(store, a)).toEqual(before)
    expect(findIssueId(store, 'b')).toBe(b)
    expect(describeIssue(store, b)).toMatchObject({
      row: [`b 1 unresolved 2 1 ${testNow} ${testNow}  `],
      tags: [`browser Firefox 1 ${testNow}`, `environment production 2 ${testNow}`],
    })
    expect(findBrokenInvariants(store)).toEqual([])
    expect(await recordUnmerge(store, select(store, 'a'), unmerge)).toEqual({ rejected: 'no-such-part' })
  })

  it('undoes a merge, also a merge of merges', async () => {
    const { store, receive } = await openKeptStore()
    await receive(ofIssue('a'), ofIssue('b'), ofIssue('b'), ofIssue('c'), ofIssue('c'))
    await mergeIssues(store, 'c', 'b')
    const before = [
      describeIssue(store, findIssueId(store, 'a')),
      describeIssue(store, findIssueId(store, 'b')),
    ]
    const a = findIssueId(store, 'a') ?? -1
    const done = await recordMerge(store, select(store, 'b', 'a'), { ...ada, intoId: a })
    expect(describeIssue(store, a).events).toHaveLength(5)
    const actionId = 'actionId' in done ? done.actionId : ''
    await recordUndo(store, { issueIds: [a], projectIds: testProjectIds }, { ...ada, actionId })
    expect([describeIssue(store, a), describeIssue(store, findIssueId(store, 'b'))]).toEqual(before)
    expect(findIssueId(store, 'c')).toBe(findIssueId(store, 'b'))
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('does not undo a merge when no event of the issue itself is left', async () => {
    const { store, receive, setDaysAgo, retain } = await openKeptStore()
    // The first and the latest event of the merged issue are kept: both belonged to the other one.
    for (const [days, name] of [
      [100, 'b'],
      [99, 'a'],
      [1, 'b'],
    ] as const) {
      setDaysAgo(days)
      await receive(ofIssue(name))
    }
    setDaysAgo(0)
    const a = findIssueId(store, 'a') ?? -1
    const done = await recordMerge(store, select(store, 'b', 'a'), { ...ada, intoId: a })
    const actionId = 'actionId' in done ? done.actionId : ''
    await retain()
    const before = describeIssue(store, a)
    expect(before.events).toHaveLength(2)
    const undone = await recordUndo(store, select(store, 'a'), { ...ada, actionId })
    expect(undone).toEqual({ rejected: 'nothing-left' })
    expect(describeIssue(store, a)).toEqual(before)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('does not undo a merge twice', async () => {
    const { store, receive } = await openKeptStore()
    await receive(ofIssue('a'), ofIssue('a'), ofIssue('b'))
    const done = await recordMerge(store, select(store, 'a', 'b'), ada)
    const actionId = 'actionId' in done ? done.actionId : ''
    await recordUndo(store, select(store, 'a'), { ...ada, actionId })
    const before = describeIssue(store, findIssueId(store, 'a'))
    const again = await recordUndo(store, select(store, 'a'), { ...ada, actionId })
    expect(again).toEqual({ rejected: 'no-such-part' })
    expect(describeIssue(store, findIssueId(store, 'a'))).toEqual(before)
    expect(findBrokenInvariants(store)).toEqual([])
  })
})

/** The events of each group hash, and which hashes are merged. */
function createModel() {
  const groups = new Map<string, Set<string>>()
  const events = new Map<string, { hour: number; userKey: string }[]>()
  return {
    receive(name: string, event: { hour: number; userKey: string }) {
      if (!groups.has(name)) groups.set(name, new Set([name]))
      events.set(name, [...(events.get(name) ?? []), event])
    },
    merge(from: string, into: string) {
      const [source, target] = [groups.get(from), groups.get(into)]
      if (source === undefined || target === undefined) return
      for (const name of source) {
        target.add(name)
        groups.set(name, target)
      }
    },
    split(name: string) {
      groups.get(name)?.delete(name)
      groups.set(name, new Set([name]))
    },
    /** Removes hashes of issues that no longer exist. */
    forget(isGone: (name: string) => boolean) {
      for (const [name, group] of groups) {
        if (!isGone(name)) continue
        group.delete(name)
        groups.delete(name)
        events.delete(name)
      }
    },
    expected: () =>
      [...groups].map(([name, group]) => {
        const all = [...group].flatMap((each) => events.get(each) ?? [])
        return { name, events: all.length, users: new Set(all.map(({ userKey }) => userKey)).size }
      }),
  }
}

describe('any sequence of events, merges, unmerges, deletions and retention runs', () => {
  const name = fc.integer({ min: 0, max: 4 }).map(String)
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('receive' as const),
      events: fc.array(fc.record({ name, user: fc.integer({ min: 0, max: 3 }) }), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
    fc.record({ kind: fc.constant('merge' as const), from: name, into: name }),
    fc.record({ kind: fc.constant('unmerge' as const), name }),
    fc.record({ kind: fc.constant('delete' as const), name, discards: fc.boolean() }),
    fc.record({ kind: fc.constant('retain' as const), limit: fc.integer({ min: 4, max: 30 }) }),
  )

  it('leaves every issue the sum of its hashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 14 }),
        fc.boolean(),
        async (steps, isUnderLoad) => {
          const { store, receive, keep, retain } = await openKeptStore()
          if (isUnderLoad) await flood(receive)
          const model = createModel()
          const discarded = new Set<string>()
          for (const one of steps) {
            if (one.kind === 'receive') {
              await receive(
                ...one.events.map((event) => ({ ...ofIssue(event.name), userKey: `id:${event.user}` })),
              )
              for (const event of one.events) {
                if (!discarded.has(event.name))
                  model.receive(event.name, { hour: hourOf(testNow), userKey: `id:${event.user}` })
              }
            } else if (one.kind === 'merge') {
              const ids = [findIssueId(store, one.from), findIssueId(store, one.into)]
              const isPossible = !ids.includes(0) && !ids.includes(undefined) && ids[0] !== ids[1]
              if (isPossible) await mergeIssues(store, one.from, one.into)
              if (isPossible) model.merge(one.from, one.into)
            } else if (one.kind === 'unmerge') {
              const partId = findPartId(store, one.name)
              const result = await recordUnmerge(store, select(store, one.name), {
                ...ada,
                partIds: [partId],
              })
              if (!('rejected' in result) && partId > 0) model.split(one.name)
            } else if (one.kind === 'delete') {
              const group = model
                .expected()
                .filter((each) => findIssueId(store, each.name) === findIssueId(store, one.name))
              await recordDeletion(store, select(store, one.name), { ...ada, discards: one.discards })
              if (one.discards && findIssueId(store, one.name) === 0)
                for (const each of group) discarded.add(each.name)
            } else {
              await keep(1, { events: one.limit })
              await retain()
            }
            // Under load what was received waits in deltas, which a check would count.
            if (isUnderLoad && one.kind === 'receive' && one !== steps.at(-1)) continue
            expect(findBrokenInvariants(store)).toEqual([])
            model.forget((each) => [undefined, 0].includes(findIssueId(store, each)))
            await foldWaiting(store)
            for (const expected of model.expected()) {
              const issueId = findIssueId(store, expected.name)
              const found = describeIssue(store, issueId)
              const [row = ''] = found.row
              expect([expected.name, row.split(' ').slice(3, 5), found.users.length, found.hours]).toEqual([
                expected.name,
                [String(expected.events), String(expected.users)],
                expected.users,
                [`${hourOf(testNow)} production ${expected.events}`],
              ])
            }
          }
          await store.close()
        },
      ),
      { numRuns: onPostgres ? 12 : 40, plugins: [fc.interruptAfterTimeLimit(15_000)] },
    )
  }, 30_000)
})
