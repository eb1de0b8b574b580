import { afterAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#protocol/json.ts'
import { listTraceSegments } from '#server/store/traces/traces.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'

const { id: projectId, publicKey } = fixtureProject
const spanId = (number: number) => number.toString(16).padStart(16, '0')
const at = Math.floor(Date.now() / 1000) - 10
let traceNumber = 0
const nextTrace = () => (traceNumber += 1).toString(16).padStart(32, 'a')

const server = await startServer()
afterAll(() => server.stop())

interface SentSpan {
  id: number
  parent?: number
  name?: string
  isRoot?: boolean
}

type Send = (traceId: string, spans: SentSpan[]) => Promise<void>

async function post(path: string, body: string, contentType?: string): Promise<void> {
  const { status } = await fetch(`${server.origin}/api/${projectId}/${path}?sentry_key=${publicKey}`, {
    method: 'POST',
    body,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  })
  expect(status).toBe(200)
}

/** As an SDK that streams spans: all of them name the root span of their request, which is the span 1. */
const sendStream: Send = async (traceId, spans) => {
  await post('envelope/', `{}\n${toStreamItem(traceId, spans)}`)
}

function toStreamItem(traceId: string, spans: Parameters<Send>[1]): string {
  const items = spans.map(({ id, parent, name = 'span', isRoot = false }) => ({
    trace_id: traceId,
    span_id: spanId(id),
    ...(parent !== undefined && { parent_span_id: spanId(parent) }),
    name,
    status: 'ok',
    is_segment: isRoot,
    start_timestamp: at,
    end_timestamp: at + 1,
    attributes: { 'sentry.segment.id': { type: 'string', value: spanId(1) } },
  }))
  const header = JSON.stringify({ type: 'span', item_count: items.length })
  return `${header}\n${JSON.stringify({ version: 2, items })}`
}

/** As an SDK with an item for each span. */
const sendItems: Send = async (traceId, spans) => {
  const items = spans.map((span) => toStreamItem(traceId, [span]))
  await post('envelope/', ['{}', ...items].join('\n'))
}

/** As OpenTelemetry: spans name their parents only. */
const sendExport: Send = async (traceId, sent) => {
  const spans = sent.map(({ id, parent, name = 'span', isRoot = false }): JsonObject => ({
    traceId,
    spanId: spanId(id),
    ...(parent !== undefined && { parentSpanId: spanId(parent) }),
    name,
    kind: isRoot ? 2 : 1,
    startTimeUnixNano: `${at}000000000`,
    endTimeUnixNano: `${at + 1}000000000`,
  }))
  const request = { resourceSpans: [{ scopeSpans: [{ spans }] }] }
  await post('integration/otlp/v1/traces', JSON.stringify(request), 'application/json')
}

async function storedSpans(traceId: string): Promise<string[]> {
  const { segments } = await listTraceSegments(server.services.store.db, { traceId, projectIds: [projectId] })
  return segments.flatMap(({ segment }) => segment.spans.map((span) => span.spanId)).toSorted()
}

const counted = () => countedOutcomes(server.services.store, projectId)
const filtered = 'span filtered filtered-transaction'

const root = { id: 1, name: 'GET /healthz', isRoot: true }
const query = { id: 2, parent: 1 }
const nested = { id: 3, parent: 2 }
/** What another service did below the filtered request is a transaction of its own. */
const other = { id: 4, parent: 3, name: 'GET /orders', isRoot: true }

const protocols: [name: string, send: Send][] = [
  ['a stream of spans', sendStream],
  ['a stream of items of a span', sendItems],
  ['OpenTelemetry', sendExport],
]

describe.each(protocols)('the spans of a filtered root span, sent by %s', (_name, send) => {
  it('are dropped with it in one envelope, whatever their order', async () => {
    const before = await counted()
    const traceId = nextTrace()
    await send(traceId, [nested, query, root, other])
    expect(await storedSpans(traceId)).toEqual([spanId(4)])
    const after = await counted()
    expect((after[filtered] ?? 0) - (before[filtered] ?? 0)).toBe(3)
  })

  it.each([
    ['before it', [[nested], [query], [root, other]]],
    ['after it', [[root, other], [query], [nested]]],
    ['around it', [[query], [root], [nested], [other]]],
  ])('are not shown when they arrive %s', async (_order, envelopes) => {
    const traceId = nextTrace()
    for (const spans of envelopes) await send(traceId, spans)
    expect(await storedSpans(traceId)).toEqual([spanId(4)])
  })

  it('do not affect other root spans of the trace', async () => {
    const traceId = nextTrace()
    await send(traceId, [query])
    await send(traceId, [{ ...root, name: 'GET /orders' }, nested])
    expect(await storedSpans(traceId)).toEqual([spanId(1), spanId(2), spanId(3)])
  })
})

it('drops all spans of a filtered root span in a large OTLP request', async () => {
  const before = await counted()
  const traceId = nextTrace()
  const children = Array.from({ length: 999 }, (_, index) => ({ id: index + 2, parent: index + 1 }))
  await sendExport(traceId, [...children.toReversed(), root])
  expect(await storedSpans(traceId)).toEqual([])
  const after = await counted()
  expect((after[filtered] ?? 0) - (before[filtered] ?? 0)).toBe(1_000)
  expect(after['span accepted ']).toBe(before['span accepted '])
})
