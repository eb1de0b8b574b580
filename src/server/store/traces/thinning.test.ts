import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { ofIssue } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testId, testNow } from '#test/test-store.ts'
import { makeLargeTrace, openTraceStore } from '#test/trace-store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import type { Figure } from '#traces/figures.ts'

function figureOfTransaction(name: string, value: number): Figure {
  const counts = { count: 1, weight: 1, failureCount: 0, goodCount: 0, sum: value, values: [value] }
  return { kind: 'transaction', name, op: 'http.server', facet: '', ...counts }
}

function storedBytes({ connection }: Store): number {
  return Number(
    connection.prepare('SELECT stored_bytes FROM trace_totals WHERE project_id = 1').get()?.['stored_bytes'],
  )
}

describe('thinning', () => {
  it('keeps every trace for an hour', async () => {
    const { store, commitTraces, left, retain } = await openTraceStore()
    await commitTraces([makeLargeTrace('a', 'GET /'), makeLargeTrace('b', 'GET /')])
    await retain()
    expect(await left(['a', 'b'])).toEqual(['a', 'b'])
    expect(store.connection.prepare('SELECT DISTINCT worth FROM trace_segments').all()).toEqual([
      { worth: 0 },
    ])
  })

  it('counts the traces of a project again whose totals were lost with a damaged database', async () => {
    const { store, commitTraces, left, setNow, retain } = await openTraceStore()
    await commitTraces([makeLargeTrace('a', 'GET /'), makeLargeTrace('b', 'GET /')])
    store.connection.exec('DELETE FROM trace_totals')
    setNow(testNow + 2 * hourMs)
    await retain()
    expect(await left(['a', 'b'])).toEqual(['a', 'b'])
    expect(findBrokenInvariants(store)).toEqual([])
    expect(storedBytes(store)).toBeGreaterThan(0)
  })

  it('deletes ordinary traces first, and keeps those with an error, a new name or a long duration', async () => {
    const { store, commitTraces, receive, left, setNow, retain } = await openTraceStore()
    await commitTraces([makeLargeTrace('known', 'GET /', 2000)])
    setNow(testNow + 2 * hourMs)
    await retain()
    const ordinary = Array.from({ length: 60 }, (_, index) => `ordinary ${index}`)
    const kept = ['known', 'failed', 'broken', 'slow', 'slower', 'third', 'fourth', 'new']
    await commitTraces([
      makeLargeTrace('failed', 'GET /'),
      { ...makeLargeTrace('broken', 'GET /'), isError: true },
      makeLargeTrace('slow', 'GET /', 90_000),
      makeLargeTrace('slower', 'GET /', 95_000),
      makeLargeTrace('third', 'GET /', 80_000),
      makeLargeTrace('fourth', 'GET /', 70_000),
      makeLargeTrace('new', 'GET /new'),
      ...ordinary.map((name) => makeLargeTrace(name, 'GET /')),
    ])
    // The error is in another project: a page that called this service.
    await receive({ ...ofIssue('Broken'), projectId: 2, traceId: testId('trace failed') })
    setNow(testNow + 4 * hourMs)
    await retain()
    expect(await left([...kept, ...ordinary])).toHaveLength(68)
    await updateProjectSettings(store, 1, ({ traces }) => ({ traces: { ...traces, megabytes: 1 } }))
    await retain({ isDryRun: true })
    expect(await left(ordinary)).toHaveLength(60)
    await retain()
    expect(await left(kept)).toEqual(kept)
    const rest = await left(ordinary)
    expect(rest.length).toBeGreaterThan(20)
    // The newest ones.
    expect(rest).toEqual(ordinary.slice(60 - rest.length))
    // Ordinary ones are deleted until there is room for some time.
    expect(storedBytes(store)).toBeLessThanOrEqual(900_000)
    expect(storedBytes(store)).toBeGreaterThan(850_000)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('keeps a trace whose error arrives after it was found ordinary', async () => {
    const { store, commitTraces, receive, left, setNow, retain } = await openTraceStore()
    await commitTraces([makeLargeTrace('known', 'GET /', 2000)])
    setNow(testNow + 2 * hourMs)
    await retain()
    const names = Array.from({ length: 80 }, (_, index) => `ordinary ${index}`)
    await commitTraces(names.map((name) => makeLargeTrace(name, 'GET /')))
    setNow(testNow + 4 * hourMs)
    await retain()
    const late = ['ordinary 79', ...names.slice(0, 3)]
    const isOrdinary = 'SELECT count(*) AS count FROM trace_segments WHERE worth = 1'
    const before = Number(store.connection.prepare(isOrdinary).get()?.['count'])
    expect(before).toBeGreaterThan(70)
    for (const name of late)
      await receive({ ...ofIssue(name), projectId: 2, traceId: testId(`trace ${name}`) })
    await updateProjectSettings(store, 1, ({ traces }) => ({ traces: { ...traces, megabytes: 1 } }))
    await retain()
    expect((await left(names)).length).toBeLessThan(50)
    expect(await left(late)).toEqual(late)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('keeps the slowest of a day by the figures of all, however few of them are in one step', async () => {
    const { store, commit, drain, setNow, retain } = await openTraceStore()
    const durations = Array.from({ length: 100 }, (_, number) => 1_000 * 1.07 ** number)
    for (const [at, durationUs] of durations.entries()) {
      setNow(testNow + at * minuteMs)
      const figure = figureOfTransaction('GET /', Math.round(durationUs))
      const figures = [{ projectId: 1, receivedAt: testNow + at * minuteMs, figures: [figure] }]
      const trace = makeLargeTrace(String(at), 'GET /', Math.round(durationUs))
      await commit({ events: [], outcomes: [], deadLetters: [], traces: [trace], figures })
    }
    await drain()
    // A step for each hour: one of them has the slowest of all.
    for (let hours = 1; hours < 5; hours += 1) {
      setNow(testNow + hours * hourMs)
      await retain()
    }
    const kept = store.connection
      .prepare('SELECT duration_us FROM trace_segments WHERE worth = 2 ORDER BY duration_us DESC')
      .all()
      .map((row) => Number(row['duration_us']))
    expect(kept.slice(0, 5)).toEqual(durations.slice(-5).map(Math.round).toReversed())
    // And the first ones, of a new name.
    expect(kept.length).toBeLessThanOrEqual(limits.traceKeptPerName + 8)
    expect(kept).toContain(1_000)
  })

  it('deletes the oldest of all when the budget is exceeded by traces that are kept for a reason', async () => {
    const { store, commitTraces, left, setNow, retain } = await openTraceStore()
    const names = Array.from({ length: 60 }, (_, index) => `new ${index}`)
    for (const name of names) await commitTraces([makeLargeTrace(name, name)])
    setNow(testNow + 2 * hourMs)
    await updateProjectSettings(store, 1, ({ traces }) => ({ traces: { ...traces, megabytes: 1 } }))
    await retain()
    const rest = await left(names)
    expect(rest.length).toBeGreaterThan(20)
    expect(rest).toEqual(names.slice(60 - rest.length))
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('deletes traces before events when the database is too large', async () => {
    const { store, commitTraces, receive, left, keptIds, retain } = await openTraceStore()
    await receive(ofIssue('a'), ofIssue('b'))
    const before = store.engine.readUsedBytes()
    const names = Array.from({ length: 60 }, (_, index) => `trace ${index}`)
    await commitTraces(names.map((name) => makeLargeTrace(name, 'GET /')))
    await retain({ maxBytes: before + 500_000 })
    expect((await left(names)).length).toBeLessThan(40)
    expect(keptIds()).toHaveLength(2)
  })

  it('deletes traces that are older than the events of the project', async () => {
    const { store, commitTraces, left, setNow, setDaysAgo, retain } = await openTraceStore()
    setDaysAgo(100)
    await commitTraces([makeLargeTrace('old', 'GET /')])
    setNow(testNow)
    await commitTraces([makeLargeTrace('today', 'GET /')])
    await retain()
    expect(await left(['old', 'today'])).toEqual(['today'])
    expect(findBrokenInvariants(store)).toEqual([])
  })
})
