import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import { findExpiredEvent } from '#server/store/events/expired-digests.ts'
import { mergeIssues, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { dayMs } from '#time/time-steps.ts'

describe('retention by count', () => {
  it('keeps exactly the permitted number of events: the newest, and the first one of each issue', async () => {
    const { store, receive, setNow, now, keep, retain, keptIds } = await openKeptStore()
    const ids: string[] = []
    for (let batch = 0; batch < 10; batch += 1) {
      ids.push(...(await receive(...Array.from({ length: 10 }, () => ofIssue('a')))))
      setNow(now() + 1_000)
    }
    await keep(1, { events: 37 })
    const report = await retain()
    const kept = keptIds()
    expect(kept).toHaveLength(37)
    // All events of a batch happened at the same time: the first one has the lowest id.
    expect(ids.slice(0, 10)).toContain(kept[0])
    expect(new Set(kept.slice(1))).toEqual(new Set(ids.slice(-36)))
    expect(report.projects.get(1)).toEqual({
      events: { age: 0, count: 63, bytes: 0, deleted: 0 },
      issueCount: 0,
    })
    expect(store.connection.prepare('SELECT event_count, expired_event_count FROM issues').get()).toEqual({
      event_count: 100,
      expired_event_count: 63,
    })
    expect(findBrokenInvariants(store)).toEqual([])
    expect((await retain()).projects.size).toBe(0)
  })

  it('deletes the ends of the oldest issues when there are more of them than the limit', async () => {
    const { store, receive, setNow, now, keep, retain, keptIds, count } = await openKeptStore()
    const ids: string[] = []
    for (let issue = 0; issue < 30; issue += 1) {
      ids.push(...(await receive(ofIssue(`${issue}`))))
      setNow(now() + 1_000)
    }
    await keep(1, { events: 10 })
    await retain()
    expect(keptIds()).toEqual(ids.slice(-10))
    expect(count('issues')).toBe(10)
    expect(count('expired_issues')).toBe(0)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('records deleted events although another run has created the same ids', async () => {
    const { store, receive, keep, retain, keptIds, now } = await openKeptStore()
    const insert = store.connection.prepare("INSERT INTO expired_digests VALUES (1, ?, ?, 'count', 1, ?)")
    // All ids at which the run can start, because it starts at a random one.
    for (let id = 0; id < 1_100; id += 1) insert.run(firstBlockIdAt(now()) + id, now(), Buffer.alloc(6))
    const ids = await receive(ofIssue('a'), ofIssue('a'), ofIssue('a'))
    await keep(1, { events: 1 })
    await retain()
    expect(keptIds()).toHaveLength(1)
    for (const id of ids.filter((each) => !keptIds().includes(each)))
      expect(await findExpiredEvent(store.db, { id, projectIds: [1] })).toMatchObject({ reason: 'count' })
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('does not affect other projects', async () => {
    const { receive, keep, retain, keptIds } = await openKeptStore()
    await receive(ofIssue('a'), ofIssue('b'), { ...ofIssue('a'), projectId: 2 })
    await keep(1, { events: 1 })
    await retain()
    expect([keptIds(1).length, keptIds(2).length]).toEqual([1, 1])
  })

  it('continues to count when the issue receives further events', async () => {
    const { store, receive, keep, retain } = await openKeptStore()
    await receive(...Array.from({ length: 20 }, () => ofIssue('a')))
    await keep(1, { events: 5 })
    await retain()
    await receive(ofIssue('a'), ofIssue('a'))
    expect(store.connection.prepare('SELECT event_count, expired_event_count FROM issues').get()).toEqual({
      event_count: 22,
      expired_event_count: 15,
    })
    expect(findBrokenInvariants(store)).toEqual([])
  })
})

describe('a dry run', () => {
  it('deletes nothing, and reports what a run deletes', async () => {
    const { store, receive, setDaysAgo, keep, retain, keptIds } = await openKeptStore()
    for (const days of [120, 100, 80, 60, 40, 20, 1]) {
      setDaysAgo(days)
      await receive(...Array.from({ length: 30 }, (_, index) => ofIssue(`${(index * days) % 17}`)))
      await receive({ ...ofIssue(`only ${days}`), projectId: 2 })
    }
    setDaysAgo(0)
    await keep(1, { events: 60 })
    const before = keptIds()
    const dryRun = await retain({ isDryRun: true })
    expect(keptIds()).toEqual(before)
    expect(findBrokenInvariants(store)).toEqual([])
    const done = await retain()
    expect(dryRun.projects).toEqual(done.projects)
    expect(keptIds()).toHaveLength(60)
  })
})

describe('any sequence of events and retention runs', () => {
  const days = fc.integer({ min: 0, max: 120 })
  const event = fc.record({
    issue: fc.integer({ min: 0, max: 6 }),
    projectId: fc.integer({ min: 1, max: 2 }),
    lateDays: fc.integer({ min: 0, max: 30 }),
  })
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('receive'),
      events: fc.array(event, { minLength: 1, maxLength: 12 }),
      days,
    }),
    fc.record({ kind: fc.constant('retain'), limit: fc.integer({ min: 1, max: 40 }), days }),
    fc.record({ kind: fc.constant('merge'), from: fc.integer({ min: 1, max: 6 }), days }),
  )

  it('leaves every payload readable, every count correct, and no project over its limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        const { store, receive, setDaysAgo, now, keep, retain, keptIds } = await openKeptStore()
        let surplus = 0
        for (const one of steps) {
          setDaysAgo(one.days)
          if ('events' in one) {
            await receive(
              ...one.events.map(({ issue, projectId, lateDays }) => ({
                ...ofIssue(`${projectId} ${issue}`),
                projectId,
                occurredAt: now() - lateDays * dayMs,
              })),
            )
          } else if ('from' in one) {
            await mergeIssues(store, `1 ${one.from}`, '1 0')
          } else {
            await keep(1, { events: one.limit })
            await retain()
            surplus = Math.max(surplus, keptIds(1).length - one.limit)
          }
          expect(findBrokenInvariants(store)).toEqual([])
          expect(surplus).toBe(0)
        }
        await store.close()
      }),
      { numRuns: 20, plugins: [fc.interruptAfterTimeLimit(15_000)] },
    )
  })
})
