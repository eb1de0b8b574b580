import { randomBytes } from 'node:crypto'
import type { EventRecord, TraceRecord } from '#server/store/ingest/records.ts'
import { writeSegmentBody } from '#server/store/traces/segment-body.ts'
import { listTraceSegments } from '#server/store/traces/traces.ts'
import type { Span, TraceSegment } from '#traces/span.ts'
import { openKeptStore } from './kept-store.ts'
import { testId, testNow } from './test-store.ts'

const spanIdOf = (name: string) => testId(name).slice(0, 16)

/** A segment of a trace of its own, with a root span and a child. */
export function makeSegment(name: string, fields: Partial<TraceSegment> = {}): TraceSegment {
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

/** The record by which a segment is committed. */
export function makeTraceRecord(segment: TraceSegment, fields: Partial<TraceRecord> = {}): TraceRecord {
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

/** A store with what tests of traces need. */
export async function openTraceStore() {
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
export function makeLargeTrace(name: string, transaction: string, durationUs = 1000): TraceRecord {
  const segment = makeSegment(name, { transaction })
  const noise = randomBytes(20_000).toString('hex')
  const [root, ...children] = segment.spans
  const spans = [{ ...root, attributes: { noise } }, ...children] as const
  return makeTraceRecord({ ...segment, spans }, { durationUs, isError: false })
}
