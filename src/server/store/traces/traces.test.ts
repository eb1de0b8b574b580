import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testId, testNow } from '#test/test-store.ts'
import { makeSegment, makeTraceRecord, openTraceStore } from '#test/trace-store.ts'
import type { Span, TraceSegment } from '#traces/span.ts'
import { listSegmentsOfEvent, listTraceSegments, type TraceSegments } from './traces.ts'

const none = { segments: [], storedCount: 0, readCount: 0, isWhole: true }

describe('the segments of a trace', () => {
  it('are read as they were stored, by their trace and the projects of the viewer', async () => {
    const { store, commitTraces } = await openTraceStore()
    const segment = makeSegment('one')
    await commitTraces([
      makeTraceRecord(segment),
      makeTraceRecord(segment, { projectId: 2, release: undefined }),
      makeTraceRecord(makeSegment('two')),
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
    const { store, commitTraces } = await openTraceStore()
    const segment = makeSegment('one')
    await commitTraces([makeTraceRecord(segment)])
    store.connection.prepare('UPDATE trace_segments SET data = ?').run(Buffer.from('nonsense'))
    const { segments } = await listTraceSegments(store.db, { traceId: segment.traceId, projectIds: [1] })
    expect(segments).toEqual([])
  })
})

/** A segment of one span in a trace of many. */
function partOf(name: string, fields: Partial<Span>): TraceSegment {
  const [root] = makeSegment(`part ${name}`).spans
  return makeSegment('long', { spans: [{ ...root, ...fields }], transaction: name })
}

/** A trace of segments that start a second after one another, and are committed in this order. */
async function openLongTrace(count: number) {
  const opened = await openTraceStore()
  const parts = Array.from({ length: count }, (_, at) =>
    makeTraceRecord(partOf(String(at), { startedAt: testNow + at * 1000 })),
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
    await commitTraces([makeTraceRecord(whole, { projectId: 2 })])
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
    const child = {
      ...root,
      spanId: testId('query').slice(0, 16),
      parentSpanId: root.spanId,
      isSegment: false,
    }
    const own = makeSegment('long', {
      spans: [{ ...root, durationUs: 9_000_000 }, child],
      transaction: 'own',
    })
    // A service that the span called: it names it, too.
    const called = partOf('called', { parentSpanId: child.spanId, durationUs: 8_000_000 })
    await commitTraces([...parts, own, called].map((part) => makeTraceRecord(part, {})))
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
    const { store, commitTraces } = await openTraceStore()
    const count = 30
    for (let at = 0; at < count; at += 1) {
      const part = partOf(String(at), { startedAt: testNow + at, description: textOf() })
      await commitTraces([makeTraceRecord(part)])
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
