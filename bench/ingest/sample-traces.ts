import { createRandom } from '../support/random.ts'
import type { SampleEnvelope } from './sample-envelope.ts'

/** Spans of a page load, including its root span. */
export const spansOfPageLoad = 15
/** Spans of a request by OpenTelemetry's exporter: its default batch size. */
export const spansOfExport = 512

/** Replaced by another trace for each request. */
const placeholderTrace = '0123456789abcdef0123456789abcdef'

/** Creates page loads as the browser SDK sends them: a transaction of about 10 kB with 14 spans. */
export function createPageLoads(count: number, seed: number): SampleEnvelope[] {
  const random = createRandom(seed)
  const number = (below: number) => Math.floor(random() * below)
  const spanId = () => (random().toString(16).slice(2) + '0'.repeat(16)).slice(0, 16)
  return Array.from({ length: count }, () => {
    const start = Date.now() / 1000 - 3
    const rootId = spanId()
    const spans = Array.from({ length: spansOfPageLoad - 1 }, (_, at) => ({
      span_id: spanId(),
      parent_span_id: rootId,
      trace_id: placeholderTrace,
      op: at % 3 === 0 ? 'http.client' : 'resource.script',
      description:
        at % 3 === 0
          ? `GET /api/items/${number(5_000)}`
          : `https://shop.example/assets/chunk-${number(40)}.js`,
      start_timestamp: start + at / 20,
      timestamp: start + at / 20 + random() / 10,
      status: 'ok',
      origin: 'auto.http.browser',
      data: {
        'http.response.status_code': 200,
        'http.response_transfer_size': number(90_000),
        'http.request.method': 'GET',
        'server.address': 'shop.example',
        'url.same_origin': true,
        'network.protocol.version': 'h2',
      },
    }))
    const route = `/category/${number(60)}`
    const header = { event_id: placeholderTrace, sent_at: new Date().toISOString() }
    const transaction = {
      type: 'transaction',
      event_id: placeholderTrace,
      platform: 'javascript',
      transaction: route,
      transaction_info: { source: 'route' },
      start_timestamp: start,
      timestamp: start + 1 + random(),
      environment: 'production',
      release: `web@1.${number(12)}.0`,
      contexts: {
        trace: { trace_id: placeholderTrace, span_id: rootId, op: 'pageload', status: 'ok', origin: 'auto' },
      },
      measurements: {
        lcp: { value: 900 + number(3_000), unit: 'millisecond' },
        cls: { value: random() / 5, unit: '' },
        ttfb: { value: 100 + number(900), unit: 'millisecond' },
      },
      request: {
        url: `https://shop.example${route}`,
        headers: { 'User-Agent': 'Mozilla/5.0 Chrome/141.0.0.0' },
      },
      sdk: { name: 'sentry.javascript.react', version: '10.75.2' },
      spans,
    }
    return toSample(`${JSON.stringify(header)}\n{"type":"transaction"}\n${JSON.stringify(transaction)}`)
  })
}

/**
 * Creates requests of OpenTelemetry's exporter in JSON: one server span and three database spans, many times.
 * Trace ids begin with their own digits and end with those of the request, so that all of them are new.
 */
export function createExports(count: number, seed: number): SampleEnvelope[] {
  const random = createRandom(seed)
  const number = (below: number) => Math.floor(random() * below)
  const id = (digits: number) =>
    Array.from({ length: digits / 8 }, () =>
      number(2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join('')
  return Array.from({ length: count }, () => {
    let [traceId, rootId] = ['', '']
    const spans = Array.from({ length: spansOfExport }, (_, at) => {
      const isRoot = at % 4 === 0
      if (isRoot) [traceId, rootId] = [id(8) + placeholderTrace.slice(8), id(16)]
      const startMs = Date.now() - 3_000 + at
      return {
        traceId,
        spanId: isRoot ? rootId : id(16),
        ...(!isRoot && { parentSpanId: rootId }),
        name: isRoot ? `GET /orders/${number(60)}` : 'SELECT orders',
        kind: isRoot ? 2 : 3,
        startTimeUnixNano: `${startMs}000000`,
        endTimeUnixNano: `${startMs + 1 + number(80)}000000`,
        attributes: isRoot
          ? [text('http.request.method', 'GET'), text('http.route', `/orders/${number(60)}`)]
          : [
              text('db.system.name', 'postgresql'),
              text('db.query.text', `SELECT * FROM orders WHERE customer_id = $1 AND region = ${number(5)}`),
            ],
        status: {},
      }
    })
    const attributes = [text('service.name', 'orders'), text('service.version', '3.1.4')]
    const body = {
      resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'http' }, spans }] }],
    }
    const sample = toSample(JSON.stringify(body), placeholderTrace.slice(8))
    return { ...sample, idDigits: 24, contentType: 'application/json' }
  })
}

/** An attribute in OpenTelemetry's format. */
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

function toSample(body: string, placeholder = placeholderTrace): SampleEnvelope {
  const bytes = Buffer.from(body)
  const idOffsets: number[] = []
  for (let at = bytes.indexOf(placeholder); at >= 0; at = bytes.indexOf(placeholder, at + 1))
    idOffsets.push(at)
  return { bytes, idOffsets }
}
