import { afterAll, describe, expect, it } from 'vitest'
import { updateProjectSettings, type TraceSettings } from '#server/store/projects/settings.ts'
import { listTraceSegments } from '#server/store/traces/traces.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { countedOutcomes } from '#test/stored-events.ts'

const { id: projectId, publicKey } = fixtureProject
const at = Math.floor(Date.now() / 1000) - 10

const server = await startServer()
afterAll(() => server.stop())

async function chooseMode(mode: TraceSettings['mode']): Promise<void> {
  await updateProjectSettings(server.services.store, projectId, ({ traces }) => ({
    traces: { ...traces, mode },
  }))
  await server.services.projectKeys.refresh()
}

async function post(path: string, body: string, contentType = 'application/octet-stream'): Promise<number> {
  const { status } = await fetch(`${server.origin}/api/${projectId}/${path}?sentry_key=${publicKey}`, {
    method: 'POST',
    body,
    headers: { 'content-type': contentType },
  })
  return status
}

/** A transaction with a span, spans of a stream, and a request of OpenTelemetry: two spans each. */
async function sendTraces(digit: string): Promise<string[]> {
  const ids = ['a', 'b', 'c'].map((kind) => `${digit}${kind}`.repeat(16))
  const [transaction = '', stream = '', otlp = ''] = ids
  const time = { start_timestamp: at, timestamp: at + 1 }
  const trace = { trace_id: transaction, span_id: '1'.repeat(16), op: 'http.server' }
  const span = { ...time, trace_id: transaction, span_id: '2'.repeat(16), parent_span_id: trace.span_id }
  const payload = {
    transaction: `task ${digit}`,
    ...time,
    contexts: { trace },
    spans: [{ ...span, op: 'task' }],
  }
  expect(await post('envelope/', envelopeOf({}, ['transaction', payload]))).toBe(200)
  const items = ['1', '2'].map((id) => ({
    trace_id: stream,
    span_id: id.repeat(16),
    parent_span_id: id === '2' ? '1'.repeat(16) : null,
    name: `stream ${digit}`,
    status: 'ok',
    is_segment: id === '1',
    start_timestamp: at,
    end_timestamp: at + 1,
    attributes: {},
  }))
  const header = JSON.stringify({ type: 'span', item_count: items.length })
  expect(await post('envelope/', `{}\n${header}\n${JSON.stringify({ version: 2, items })}`)).toBe(200)
  const spans = ['1', '2'].map((id) => ({
    traceId: otlp,
    spanId: id.repeat(16),
    parentSpanId: id === '2' ? '1'.repeat(16) : '',
    name: `otlp ${digit}`,
    kind: 2,
    startTimeUnixNano: `${at}000000000`,
    endTimeUnixNano: `${at + 1}000000000`,
  }))
  const request = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  expect(await post('integration/otlp/v1/traces', request, 'application/json')).toBe(200)
  await server.services.housekeeping.settle()
  return ids
}

async function countSegments(traceIds: readonly string[]): Promise<number> {
  const { db } = server.services.store
  const traces = await Promise.all(
    traceIds.map((traceId) => listTraceSegments(db, { traceId, projectIds: [projectId] })),
  )
  return traces.flatMap(({ segments }) => segments).length
}

async function countedNames(digit: string): Promise<string[]> {
  const rows = await server.services.store.db
    .selectFrom('figure_names')
    .select('name')
    .where('kind', '=', 'transaction')
    .where('name', 'like', `% %${digit}`)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

describe('the traces of a project', () => {
  it('are stored and counted with samples', async () => {
    const ids = await sendTraces('1')
    expect(await countSegments(ids)).toBe(3)
    await expect.poll(() => countedNames('1'), { timeout: 20_000 }).toEqual(['otlp 1', 'stream 1', 'task 1'])
  })

  it('are counted and not stored with figures only', async () => {
    await chooseMode('figures')
    const ids = await sendTraces('2')
    await expect.poll(() => countedNames('2'), { timeout: 20_000 }).toEqual(['otlp 2', 'stream 2', 'task 2'])
    expect(await countSegments(ids)).toBe(0)
  })

  it('are neither counted nor stored when they are disabled, and listed at the outcomes', async () => {
    await chooseMode('off')
    const ids = await sendTraces('3')
    expect(await countSegments(ids)).toBe(0)
    expect(await countedNames('3')).toEqual([])
    expect(await countedOutcomes(server.services.store, projectId)).toMatchObject({
      'transaction invalid feature_disabled': 1,
      'span invalid feature_disabled': 4,
    })
  })
})
