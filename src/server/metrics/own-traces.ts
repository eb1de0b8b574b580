import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { limits } from '#server/limits.ts'

/** The destination of this process's traces. */
export interface OwnTraceTarget {
  release: string
  environment: string
  /** Unix milliseconds. */
  clock: () => number
  /** Ingests an envelope for Culvert's own project. Never rejects. */
  deliver: (envelope: Buffer) => Promise<void>
}

interface RecordedSpan {
  spanId: string
  parentSpanId: string
  op: string
  description: string
  /** Milliseconds after the start of the request. */
  startMs: number
  endMs: number
}

/** A request that is being traced, and its current span. */
interface Recording {
  traceId: string
  /** By the monotonic clock. */
  startedMs: number
  spans: RecordedSpan[]
  spanId: string
}

/** The end of a request. */
interface OwnRequest {
  method: string
  path: string
}

/**
 * Traces requests of the console, with their server functions and SQL, in Culvert's own project. Only a
 * sample of requests is traced; the others cost one random number. Traces contain no user data: SQL without
 * values, and only the first segment of a path. Traces are stored outside of the request by ingest, which is
 * not traced, so storing a trace creates no further trace.
 */
export class OwnTraces {
  private readonly rate: number
  private readonly random: () => number
  private readonly recordings = new AsyncLocalStorage<Recording>()
  private target: OwnTraceTarget | undefined

  /** `rate`: the share of traced requests, 0 to 1. `random`: from 0 to below 1. */
  constructor(rate: number, random: () => number) {
    this.rate = rate
    this.random = random
  }

  /** Starts tracing. */
  start(target: OwnTraceTarget): void {
    this.target = target
  }

  /** Answers a request, and traces it if it is sampled. */
  async traceRequest(request: OwnRequest, answer: () => Promise<Response>): Promise<Response> {
    const { rate, random, target } = this
    if (target === undefined || rate === 0 || random() >= rate) return answer()
    const startedAt = target.clock()
    const recording: Recording = {
      traceId: randomBytes(16).toString('hex'),
      startedMs: performance.now(),
      spans: [],
      spanId: createSpanId(),
    }
    let status = 500
    try {
      const answered = await this.recordings.run(recording, answer)
      status = answered.status
      return answered
    } finally {
      const envelope = toEnvelope(recording, { request, startedAt, status, rate, target })
      void this.recordings.exit(() => target.deliver(envelope))
    }
  }

  /** Runs a server function, with a span if its request is traced. */
  async traceFunction<T>(name: string, run: () => Promise<T>): Promise<T> {
    const outer = this.recordings.getStore()
    if (outer === undefined) return run()
    const inner = { ...outer, spanId: createSpanId() }
    const startMs = performance.now() - outer.startedMs
    try {
      return await this.recordings.run(inner, run)
    } finally {
      const op = 'function.tanstackstart'
      addSpan(outer, { spanId: inner.spanId, op, description: name, startMs })
    }
  }

  /** Called after each statement of a screen, in the async context of its request. */
  readonly noteStatement = (sql: string, durationMs: number): void => {
    const recording = this.recordings.getStore()
    if (recording === undefined) return
    const startMs = performance.now() - recording.startedMs - durationMs
    const description = sql.slice(0, limits.spanDescriptionCharacters)
    addSpan(recording, { spanId: createSpanId(), op: 'db.query', description, startMs })
  }
}

/** The result of a recording. */
interface OwnEnd {
  request: OwnRequest
  startedAt: number
  status: number
  rate: number
  target: OwnTraceTarget
}

function toEnvelope(
  { traceId, startedMs, spans, spanId }: Recording,
  { request, startedAt, status, rate, target }: OwnEnd,
): Buffer {
  const { release, environment } = target
  const at = (ms: number) => (startedAt + Math.max(0, ms)) / 1000
  const trace = { trace_id: traceId, span_id: spanId, op: 'http.server', client_sample_rate: rate }
  const payload = {
    event_id: randomBytes(16).toString('hex'),
    type: 'transaction',
    platform: 'node',
    transaction: `${request.method} ${toPathName(request.path)}`,
    transaction_info: { source: 'route' },
    release,
    environment,
    start_timestamp: at(0),
    timestamp: at(performance.now() - startedMs),
    contexts: { trace: { ...trace, status: status >= 500 ? 'internal_error' : 'ok' } },
    spans: spans.map(({ spanId: ownId, parentSpanId, op, description, startMs, endMs }) => ({
      trace_id: traceId,
      span_id: ownId,
      parent_span_id: parentSpanId,
      op,
      description,
      start_timestamp: at(startMs),
      timestamp: at(endMs),
    })),
  }
  const header = { event_id: payload.event_id, trace: { sample_rate: String(rate) } }
  return Buffer.from(`${JSON.stringify(header)}\n{"type":"transaction"}\n${JSON.stringify(payload)}\n`)
}

function addSpan(
  { spans, spanId, startedMs }: Recording,
  span: Omit<RecordedSpan, 'endMs' | 'parentSpanId'>,
): void {
  if (spans.length < limits.ownTraceSpans)
    spans.push({ ...span, parentSpanId: spanId, endMs: performance.now() - startedMs })
}

function createSpanId(): string {
  return randomBytes(8).toString('hex')
}

/** The first segment of a path: further segments can contain projects, users and issues. */
function toPathName(path: string): string {
  const [, first = '', ...others] = path.split('/', 4)
  return `/${/^[a-z_]{1,30}$/i.test(first) ? first : first === '' ? '' : '*'}${others.length > 0 ? '/*' : ''}`
}
