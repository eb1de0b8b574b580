import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { EventRecord, TraceRecord } from '#server/store/ingest/records.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import type { Figure } from '#traces/figures.ts'
import type { Span, TraceSegment } from '#traces/span.ts'
import { ofIssue, openKeptStore } from '../../../../test/support/kept-store.ts'
import { findBrokenInvariants } from '../../../../test/support/store-invariants.ts'
import { testId, testNow } from '../../../../test/support/test-store.ts'
import { writeSegmentBody } from './segment-body.ts'
import { listSegmentsOfEvent, listTraceSegments, type TraceSegments } from './traces.ts'
import { findTraceById, findTransactionEvent } from './transaction-events.ts'

const none = { segments: [], storedCount: 0, readCount: 0, isWhole: true }

const spanIdOf = (name: string) => testId(name).slice(0, 16)

function segmentOf(name: string, fields: Partial<TraceSegment> = {}): TraceSegment {
  const traceId = testId(`trace ${name}`)
  const root: Span = {
    traceId,
    spanId: spanIdOf(name),
    segmentId: spanIdOf(name),
    isSegment: true,
    op: 'http.server',
    name: 'GET /',
    status: 'error',
    statusText: 'not_found',
    startedAt: testNow + 0.25,
    durationUs: 1500,
    attributes: { 'http.response.status_code': 404, a: 'text', b: false },
  }
  const child: Span = {
    ...root,
    spanId: spanIdOf(`child of ${name}`),
    parentSpanId: root.spanId,
    isSegment: false,
    op: 'db',
    name: 'SELECT',
    description: 'SELECT 1',
    status: 'ok',
    statusText: 'ok',
    startedAt: testNow + 0.5,
    durationUs: 7,
    attributes: {},
  }
  return {
    kind: 'transaction',
    traceId,
    spans: [root, child],
    transaction: 'GET /',
    transactionSource: 'route',
    environment: 'production',
    release: 'app@1',
    platform: 'node',
    sampleRate: 0.5,
    ...fields,
  }
}

function recordOf(segment: TraceSegment, fields: Partial<TraceRecord> = {}): TraceRecord {
  const [root] = segment.spans
  return {
    projectId: 1,
    category: 'transaction',
    quantity: 1,
    traceId: segment.traceId,
    eventId: segment.eventId,
    spanId: root.spanId,
    isRoot: true,
    startedAt: Math.floor(root.startedAt),
    durationUs: root.durationUs,
    spanCount: segment.spans.length,
    op: root.op,
    name: segment.transaction,
    isError: true,
    environment: segment.environment,
    release: segment.release,
    receivedAt: testNow,
    payload: writeSegmentBody(segment),
    ...fields,
  }
}

async function openTraces() {
  const kept = await openKeptStore()
  const commit = (traces: TraceRecord[], events: EventRecord[] = []) =>
    kept.commit({ events, outcomes: [], deadLetters: [], traces })
  /** The names of the traces that are left, of those given. */
  const left = async (names: readonly string[], projectIds = [1]) => {
    const found = await Promise.all(
      names.map((name) => listTraceSegments(kept.store.db, { traceId: testId(`trace ${name}`), projectIds })),
    )
    return names.filter((_, index) => (found[index]?.storedCount ?? 0) > 0)
  }
  return { ...kept, commitTraces: commit, left }
}

/** A trace of a name, with a duration. Takes 20 kB. */
function traceOf(name: string, transaction: string, durationUs = 1000): TraceRecord {
  const segment = segmentOf(name, { transaction })
  const noise = randomBytes(20_000).toString('hex')
  const [root, ...children] = segment.spans
  const spans = [{ ...root, attributes: { noise } }, ...children] as const
  return recordOf({ ...segment, spans }, { durationUs, isError: false })
}

function figureOfTransaction(name: string, value: number): Figure {
  const counts = { count: 1, weight: 1, failureCount: 0, goodCount: 0, sum: value, values: [value] }
  return { kind: 'transaction', name, op: 'http.server', facet: '', ...counts }
}

function storedBytes({ connection }: Store): number {
  return Number(
    connection.prepare('SELECT stored_bytes FROM trace_totals WHERE project_id = 1').get()?.['stored_bytes'],
  )
}

describe('the segments of a trace', () => {
  it('are read as they were stored, by their trace and the projects of the viewer', async () => {
    const { store, commitTraces } = await openTraces()
    const segment = segmentOf('one')
    await commitTraces([
      recordOf(segment),
      recordOf(segment, { projectId: 2, release: undefined }),
      recordOf(segmentOf('two')),
    ])
    const query = { traceId: segment.traceId, projectIds: [1] }
    expect((await listTraceSegments(store.db, query)).segments).toMatchObject([
      { project: { id: 1 }, receivedAt: testNow, segment },
    ])
    const { segments: both } = await listTraceSegments(store.db, { ...query, projectIds: [1, 2] })
    expect(new Set(both.map(({ project }) => project.id))).toEqual(new Set([1, 2]))
    expect(await listTraceSegments(store.db, { ...query, traceId: 'f'.repeat(32) })).toEqual(none)
    expect(
      await store.db.selectFrom('outcome_hours').select(['category', 'outcome', 'quantity']).execute(),
    ).toEqual([
      { category: 'transaction', outcome: 'accepted', quantity: 2 },
      { category: 'transaction', outcome: 'accepted', quantity: 1 },
    ])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('are left out when their body is damaged', async () => {
    const { store, commitTraces } = await openTraces()
    const segment = segmentOf('one')
    await commitTraces([recordOf(segment)])
    store.connection.prepare('UPDATE trace_segments SET data = ?').run(Buffer.from('nonsense'))
    const { segments } = await listTraceSegments(store.db, { traceId: segment.traceId, projectIds: [1] })
    expect(segments).toEqual([])
  })
})

describe('a transaction', () => {
  const eventId = testId('the id of its event')
  const named = segmentOf('named', { eventId })
  const query = { id: eventId, projectIds: [1] }

  it('is found by its event id, in the projects of the viewer', async () => {
    const { store, commitTraces } = await openTraces()
    await commitTraces([recordOf(named), recordOf(segmentOf('other', { eventId: testId('other') }))])
    expect(await findTransactionEvent(store.db, query)).toMatchObject({
      project: { id: 1 },
      receivedAt: testNow,
      segment: named,
    })
    expect(await findTransactionEvent(store.db, { ...query, projectIds: [2] })).toBeUndefined()
    const { segments } = await listTraceSegments(store.db, { traceId: named.traceId, projectIds: [1] })
    expect(segments.map(({ segment }) => segment.eventId)).toEqual([eventId])
  })

  it('leads to its trace by the beginning of its event id, unless a trace has the id', async () => {
    const { store, commitTraces } = await openTraces()
    await commitTraces([
      recordOf(named),
      recordOf(segmentOf('other', { eventId: named.traceId })),
      recordOf(segmentOf('without')),
    ])
    const find = (id: string) => findTraceById(store.db, { id, projectIds: [1] })
    const transaction = { traceId: named.traceId, spanId: named.spans[0].spanId }
    expect(await find(eventId)).toEqual(transaction)
    expect(await find(eventId.slice(0, 12))).toEqual(transaction)
    expect(await find(named.traceId)).toEqual({ traceId: named.traceId })
    expect(await find('0'.repeat(32))).toBeUndefined()
  })

  it('is not found when its body is damaged, or after its trace was deleted', async () => {
    const { store, commitTraces } = await openTraces()
    await commitTraces([recordOf(named)])
    store.connection.prepare('UPDATE trace_segments SET data = ?').run(Buffer.from('nonsense'))
    expect(await findTransactionEvent(store.db, query)).toBeUndefined()
    store.connection.exec('DELETE FROM trace_segments')
    expect(await findTransactionEvent(store.db, query)).toBeUndefined()
    expect(await findTraceById(store.db, query)).toBeUndefined()
  })
})

/** A segment of one span in a trace of many. */
function partOf(name: string, fields: Partial<Span>): TraceSegment {
  const [root] = segmentOf(`part ${name}`).spans
  return segmentOf('long', { spans: [{ ...root, ...fields }], transaction: name })
}

/** A trace of segments that start a second after one another, and are committed in this order. */
async function openLongTrace(count: number) {
  const opened = await openTraces()
  const parts = Array.from({ length: count }, (_, at) =>
    recordOf(partOf(String(at), { startedAt: testNow + at * 1000 })),
  )
  await opened.commitTraces(parts)
  return { ...opened, query: { traceId: testId('trace long'), projectIds: [1, 2] } }
}

const namesOf = ({ segments }: TraceSegments) => segments.map(({ segment }) => segment.transaction)

describe('a trace of more segments than are read', () => {
  it('is read from its start, and counted', async () => {
    const most = limits.traceSegmentsRead
    const { store, query } = await openLongTrace(most + 3)
    const found = await listTraceSegments(store.db, query)
    expect(found).toMatchObject({ storedCount: most + 3, isWhole: false })
    expect(namesOf(found)).toHaveLength(most)
    expect(namesOf(found)).toContain('0')
    expect(namesOf(found)).not.toContain(String(most))
  })

  it('is read around an event for its page', async () => {
    const { store, query, commitTraces } = await openLongTrace(60)
    // Runs all the time, in another project.
    const whole = partOf('whole', { durationUs: 90_000_000 })
    await commitTraces([recordOf(whole, { projectId: 2 })])
    const event = { ...eventOf('nothing'), occurredAt: testNow + 30_001 }
    const found = await listSegmentsOfEvent(store.db, event, query.projectIds)
    expect(found).toMatchObject({ storedCount: 61, isWhole: false })
    expect(namesOf(found)).toHaveLength(limits.smallTraceSegments)
    expect(namesOf(found)).toEqual(expect.arrayContaining(['whole', '29', '30', '31']))
    expect(await listSegmentsOfEvent(store.db, { ...event, traceId: undefined }, [1])).toEqual(none)
  })

  it('is read with the segment of the span in which an event occurred, however many ran then', async () => {
    const { store, query, commitTraces } = await openLongTrace(0)
    const count = limits.traceSegmentsRead + limits.smallTraceSegments + 9
    const parts = Array.from({ length: count }, (_, at) => partOf(String(at), { durationUs: 1000 + at }))
    const [root] = partOf('own', {}).spans
    const child = { ...root, spanId: spanIdOf('query'), parentSpanId: root.spanId, isSegment: false }
    const own = segmentOf('long', { spans: [{ ...root, durationUs: 9_000_000 }, child], transaction: 'own' })
    // A service that the span called: it names it, too.
    const called = partOf('called', { parentSpanId: child.spanId, durationUs: 8_000_000 })
    await commitTraces([...parts, own, called].map((part) => recordOf(part, {})))
    for (const spanId of [child.spanId, root.spanId]) {
      const found = await listSegmentsOfEvent(store.db, eventOf(spanId), query.projectIds)
      expect(namesOf(found)).toHaveLength(limits.smallTraceSegments + 1)
      expect(namesOf(found)).toContain('own')
      expect(namesOf(found)).not.toContain('called')
    }
    const other = await listSegmentsOfEvent(store.db, eventOf('f'.repeat(16)), query.projectIds)
    expect(namesOf(other)).toHaveLength(limits.smallTraceSegments)
  })
})

/** An event in a span of the long trace. */
function eventOf(spanId: string) {
  const contexts = { trace: { trace_id: testId('trace long'), span_id: spanId.toUpperCase() } }
  const payload = Buffer.from(JSON.stringify({ contexts }))
  return { traceId: testId('trace long'), projectId: 1, occurredAt: testNow + 1, payload }
}

describe('a trace of large bodies', () => {
  // Bodies that compress well, and others that do not.
  it.each([
    ['text', () => 'SELECT '.repeat(220_000)],
    ['noise', () => randomBytes(770_000).toString('hex')],
  ])('of %s is read up to a number of bytes', async (_name, textOf) => {
    const { store, commitTraces } = await openTraces()
    const count = 30
    for (let at = 0; at < count; at += 1) {
      const part = partOf(String(at), { startedAt: testNow + at, description: textOf() })
      await commitTraces([recordOf(part)])
    }
    const query = { traceId: testId('trace long'), projectIds: [1] }
    const found = await listTraceSegments(store.db, query)
    const readCount = Math.floor(limits.traceBytesRead / 1_540_300)
    expect(found).toMatchObject({ storedCount: count, readCount, isWhole: false })
    expect(namesOf(found)).toEqual(Array.from({ length: readCount }, (_, at) => String(at)).toReversed())
    const event = await listSegmentsOfEvent(store.db, eventOf('f'.repeat(16)), [1])
    expect(event).toMatchObject({ readCount: limits.smallTraceSegments, isWhole: false })
  })
})

describe('thinning', () => {
  it('keeps every trace for an hour', async () => {
    const { store, commitTraces, left, retain } = await openTraces()
    await commitTraces([traceOf('a', 'GET /'), traceOf('b', 'GET /')])
    await retain()
    expect(await left(['a', 'b'])).toEqual(['a', 'b'])
    expect(store.connection.prepare('SELECT DISTINCT worth FROM trace_segments').all()).toEqual([
      { worth: 0 },
    ])
  })

  it('deletes ordinary traces first, and keeps those with an error, a new name or a long duration', async () => {
    const { store, commitTraces, receive, left, setNow, retain } = await openTraces()
    await commitTraces([traceOf('known', 'GET /', 2000)])
    setNow(testNow + 2 * hourMs)
    await retain()
    const ordinary = Array.from({ length: 60 }, (_, index) => `ordinary ${index}`)
    const kept = ['known', 'failed', 'broken', 'slow', 'slower', 'third', 'fourth', 'new']
    await commitTraces([
      traceOf('failed', 'GET /'),
      { ...traceOf('broken', 'GET /'), isError: true },
      traceOf('slow', 'GET /', 90_000),
      traceOf('slower', 'GET /', 95_000),
      traceOf('third', 'GET /', 80_000),
      traceOf('fourth', 'GET /', 70_000),
      traceOf('new', 'GET /new'),
      ...ordinary.map((name) => traceOf(name, 'GET /')),
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
    const { store, commitTraces, receive, left, setNow, retain } = await openTraces()
    await commitTraces([traceOf('known', 'GET /', 2000)])
    setNow(testNow + 2 * hourMs)
    await retain()
    const names = Array.from({ length: 80 }, (_, index) => `ordinary ${index}`)
    await commitTraces(names.map((name) => traceOf(name, 'GET /')))
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
    const { store, commit, drain, setNow, retain } = await openTraces()
    const durations = Array.from({ length: 100 }, (_, number) => 1_000 * 1.07 ** number)
    for (const [at, durationUs] of durations.entries()) {
      setNow(testNow + at * minuteMs)
      const figure = figureOfTransaction('GET /', Math.round(durationUs))
      const figures = [{ projectId: 1, receivedAt: testNow + at * minuteMs, figures: [figure] }]
      const trace = traceOf(String(at), 'GET /', Math.round(durationUs))
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
    const { store, commitTraces, left, setNow, retain } = await openTraces()
    const names = Array.from({ length: 60 }, (_, index) => `new ${index}`)
    for (const name of names) await commitTraces([traceOf(name, name)])
    setNow(testNow + 2 * hourMs)
    await updateProjectSettings(store, 1, ({ traces }) => ({ traces: { ...traces, megabytes: 1 } }))
    await retain()
    const rest = await left(names)
    expect(rest.length).toBeGreaterThan(20)
    expect(rest).toEqual(names.slice(60 - rest.length))
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('deletes traces before events when the database is too large', async () => {
    const { store, commitTraces, receive, left, keptIds, retain } = await openTraces()
    await receive(ofIssue('a'), ofIssue('b'))
    const before = store.engine.readUsedBytes()
    const names = Array.from({ length: 60 }, (_, index) => `trace ${index}`)
    await commitTraces(names.map((name) => traceOf(name, 'GET /')))
    await retain({ maxBytes: before + 500_000 })
    expect((await left(names)).length).toBeLessThan(40)
    expect(keptIds()).toHaveLength(2)
  })

  it('deletes traces that are older than the events of the project', async () => {
    const { store, commitTraces, left, setNow, setDaysAgo, retain } = await openTraces()
    setDaysAgo(100)
    await commitTraces([traceOf('old', 'GET /')])
    setNow(testNow)
    await commitTraces([traceOf('today', 'GET /')])
    await retain()
    expect(await left(['old', 'today'])).toEqual(['today'])
    expect(findBrokenInvariants(store)).toEqual([])
  })
})
