import { afterAll, describe, expect, it } from 'vitest'
import { findEventView } from '#server/console/events/events.ts'
import { getPerformanceView } from '#server/console/performance/performance.ts'
import { findTraceView } from '#server/console/traces/traces.ts'
import { limits } from '#server/limits.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { protobufField as field } from '#test/protobuf.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'
import { viewerOfProject } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'

const { id, publicKey } = fixtureProject
/** Seconds. */
const tenYears = (3_650 * dayMs) / 1000
const traceId = 'abcdef0123456789abcdef0123456789'
const zeros = { trace: '0'.repeat(32), span: '0'.repeat(16) }
const idOf = (number: number) => (number + 1).toString(16).padStart(16, '0')
const seconds = () => Date.now() / 1000

const server = await startServer()
afterAll(() => server.stop())

/** A span in the words of none of the protocols. */
interface HostileSpan {
  traceId?: string
  spanId?: string
  parentId?: string
  /** Seconds. */
  from?: number
  to?: number
  attributes?: Record<string, unknown>
}

type Post = (spans: HostileSpan[]) => Promise<Response>

function post(path: string, type: string, body: string | Buffer): Promise<Response> {
  return fetch(`${server.origin}/api/${id}/${path}`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: { 'content-type': type, 'x-sentry-auth': `sentry sentry_key=${publicKey}` },
  })
}

const filled = (span: HostileSpan, at: number) => ({
  traceId,
  spanId: idOf(at),
  from: seconds() - 2,
  to: seconds() - 1,
  attributes: {},
  ...span,
})

/** The first span is the root of a transaction. */
const postTransaction: Post = (sent) => {
  const spans = sent.map((span, at) => {
    const { traceId: trace_id, spanId: span_id, parentId, from, to, attributes } = filled(span, at)
    return {
      trace_id,
      span_id,
      parent_span_id: parentId,
      start_timestamp: from,
      timestamp: to,
      data: attributes,
    }
  })
  const [root, ...children] = spans
  const { start_timestamp, timestamp, ...trace } = root ?? {}
  const times = { start_timestamp, timestamp }
  const transaction = {
    type: 'transaction',
    transaction: '/',
    ...times,
    contexts: { trace },
    spans: children,
  }
  return post('envelope/', 'application/x-sentry-envelope', envelopeOf({}, ['transaction', transaction]))
}

const postSpans: Post = (sent) => {
  const items = sent.map((span, at) => {
    const { traceId: trace_id, spanId: span_id, parentId, from, to, attributes } = filled(span, at)
    return {
      trace_id,
      span_id,
      parent_span_id: parentId,
      name: 'span',
      is_segment: at === 0,
      start_timestamp: from,
      end_timestamp: to,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { type: 'string', value }]),
      ),
    }
  })
  const header = JSON.stringify({ type: 'span', item_count: items.length })
  const body = `{}\n${header}\n${JSON.stringify({ version: 2, items })}`
  return post('envelope/', 'application/x-sentry-envelope', body)
}

const nanos = (at: number) => `${BigInt(Math.trunc(at * 1000)) * 1_000_000n}`

const postOtlpJson: Post = (sent) => {
  const spans = sent.map((span, at) => {
    const { parentId, from, to, attributes, ...ids } = filled(span, at)
    const pairs = Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }))
    const times = { startTimeUnixNano: nanos(from), endTimeUnixNano: nanos(to) }
    return { ...ids, parentSpanId: parentId, name: 'span', ...times, attributes: pairs }
  })
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  return post('integration/otlp/v1/traces', 'application/json', body)
}

const postOtlpProtobuf: Post = (sent) => {
  const spans = sent.map((span, at) => {
    const { traceId: trace, spanId, parentId = '', from, to, attributes } = filled(span, at)
    const pairs = Object.entries(attributes).map(([key, value]) =>
      field(9, Buffer.concat([field(1, key), field(2, field(1, String(value)))])),
    )
    const ids = [field(1, Buffer.from(trace, 'hex')), field(2, Buffer.from(spanId, 'hex'))]
    const parent = field(4, Buffer.from(parentId, 'hex'))
    const times = [field(7, BigInt(nanos(from))), field(8, BigInt(nanos(to)))]
    return field(2, Buffer.concat([...ids, parent, field(5, 'span'), ...times, ...pairs]))
  })
  const body = field(1, field(2, Buffer.concat(spans)))
  return post('integration/otlp/v1/traces', 'application/x-protobuf', body)
}

const countOutcomes = () => countedOutcomes(server.services.store, id)

const many = (count: number) => Array.from({ length: count }, (): HostileSpan => ({}))
const bomb = Object.fromEntries(
  Array.from({ length: 3_000 }, (_, at) => [`${'name'.repeat(20)}${at}`, 'x'.repeat(200)]),
)

const cases: [name: string, spans: HostileSpan[]][] = [
  ['an end before its begin', [{ from: seconds(), to: seconds() - 60 }]],
  ['ids of zeros', [{ traceId: zeros.trace, spanId: zeros.span }]],
  ['a span of itself as its parent', [{ parentId: idOf(0) }]],
  ['a cycle', [{ parentId: idOf(2) }, { parentId: idOf(0) }, { parentId: idOf(1) }]],
  ['a clock that is ten years behind', [{ from: seconds() - tenYears, to: seconds() - tenYears + 1 }]],
  ['a clock that is ten years ahead', [{ from: seconds() + tenYears, to: seconds() + tenYears + 1 }]],
  ['a duration of ten years', [{ from: seconds() - tenYears }]],
  ['thousands of attributes', [{ attributes: bomb }]],
  // Of another trace, because every case opens the page of theirs.
  ['21,000 spans', many(limits.otlpSpans + 1_000).map(() => ({ traceId: 'b'.repeat(32) }))],
  ['6,000 spans', many(6_000)],
  ['the same span a hundred times', many(100).map(() => ({ spanId: idOf(7) }))],
]

const protocols: [name: string, category: 'transaction' | 'span', post: Post][] = [
  ['a transaction', 'transaction', postTransaction],
  ['a stream of spans', 'span', postSpans],
  ['OTLP as JSON', 'span', postOtlpJson],
  ['OTLP as protobuf', 'span', postOtlpProtobuf],
]

describe('a hostile trace', () => {
  for (const [protocol, category, send] of protocols) {
    it.each(cases)(`with %s, as ${protocol}, is stored or has an outcome`, async (_name, spans) => {
      const before = await countOutcomes()
      const answer = await send(spans)
      await answer.arrayBuffer()
      expect([200, 413]).toContain(answer.status)
      await expect.poll(async () => newOutcomes(before, await countOutcomes())).not.toEqual({})
      const outcomes = newOutcomes(before, await countOutcomes())
      // All spans are counted one by one, except those of a transaction and of a request that is not read.
      const endCount = category === 'transaction' || answer.status === 413 ? 1 : spans.length
      expect(sumOf(outcomes, answer.status === 413 ? 'unknown' : category)).toBe(endCount)
      const view = await findTraceView(server.services, viewer(), { traceId, isWhole: false })
      expect(view?.rowCount ?? 0).toBeLessThanOrEqual(limits.traceSpansShown)
    })
  }

  it('in bytes that are not protobuf is rejected', async () => {
    for (let length = 1; length < 60; length += 1) {
      const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 37 + length * 11) % 256))
      const answer = await post('integration/otlp/v1/traces', 'application/x-protobuf', bytes)
      expect([200, 400]).toContain(answer.status)
    }
  })
})

/** A transaction of a name and a sample rate, as an item. */
function transactionOf(transaction: string, client_sample_rate?: number): [string, Record<string, unknown>] {
  const times = { start_timestamp: seconds() - 2, timestamp: seconds() - 1 }
  const trace = { trace_id: randomEventId(), span_id: idOf(1), client_sample_rate }
  const source = { transaction_info: { source: 'custom' } }
  return ['transaction', { type: 'transaction', transaction, ...source, ...times, contexts: { trace } }]
}

describe('a hostile sample rate', () => {
  it.each([5e-324, 6e-309, 1e-300])('of %s does not affect figures of others', async (client_sample_rate) => {
    const name = (which: string) => `${which} ${client_sample_rate}`
    const hostile = [1, 2].map(() => transactionOf(name('hostile'), client_sample_rate))
    const body = envelopeOf({}, ...hostile, transactionOf(name('harmless')))
    expect((await post('envelope/', 'application/x-sentry-envelope', body)).status).toBe(200)
    const find = async () => {
      const { figures } = await getPerformanceView(server.services, viewer(), {})
      return ['hostile', 'harmless'].map((which) => figures.find((figure) => figure.name === name(which)))
    }
    await expect.poll(find, { timeout: 20_000 }).toMatchObject([{ count: 2 }, { count: 1 }])
    const [counted, other] = await find()
    const ratio = (counted?.perMinute ?? 0) / (other?.perMinute ?? 0)
    expect(Math.round(ratio)).toBe(2 / limits.lowestSampleRate)
  })
})

describe('the trace header of an error', () => {
  it.each([
    [{ sampled: 'true' }, true],
    [{ sampled: 'false' }, false],
    [{ sampled: false }, false],
    [{ sample_rate: '0.1' }, undefined],
    [{ sampled: 'maybe' }, undefined],
    ['sampled', undefined],
  ])('tells whether its spans are sent: %j', async (trace, isTraceSampled) => {
    const eventId = randomEventId()
    const contexts = { trace: { trace_id: eventId, span_id: idOf(1) } }
    const header = { event_id: eventId, trace }
    const body = envelopeOf(header, ['event', { message: 'it failed', contexts }])
    expect((await post('envelope/', 'application/x-sentry-envelope', body)).status).toBe(200)
    const view = await findEventView(server.services, viewer(), eventId)
    expect(view?.isTraceSampled).toBe(isTraceSampled)
    const { errors } =
      (await findTraceView(server.services, viewer(), { traceId: eventId, isWhole: false })) ?? {}
    expect(errors?.map((error) => error.isTraceSampled)).toEqual([isTraceSampled])
  })
})

const viewer = () => viewerOfProject(id)

function newOutcomes(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const changes = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
  return Object.fromEntries(changes.filter(([, count]) => count > 0))
}

function sumOf(outcomes: Record<string, number>, category: string): number {
  return Object.entries(outcomes)
    .filter(([name]) => name.startsWith(`${category} `))
    .reduce((sum, [, count]) => sum + count, 0)
}
