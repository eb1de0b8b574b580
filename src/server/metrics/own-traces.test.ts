import * as v from 'valibot'
import { expect, it } from 'vitest'
import { parseEnvelope } from '#protocol/envelope.ts'
import { OwnTraces } from './own-traces.ts'

const Delivered = v.object({
  transaction: v.string(),
  contexts: v.object({
    trace: v.object({ span_id: v.string(), status: v.string(), client_sample_rate: v.number() }),
  }),
  spans: v.array(
    v.object({ span_id: v.string(), parent_span_id: v.string(), op: v.string(), description: v.string() }),
  ),
})

function createTraces(rate: number, drawn = 0) {
  const delivered: v.InferOutput<typeof Delivered>[] = []
  const traces = new OwnTraces(rate, () => drawn)
  traces.start({
    release: 'culvert@1',
    environment: 'production',
    clock: () => 1_000_000,
    deliver: async (bytes) => {
      // Storing a trace is not recorded.
      traces.noteStatement('INSERT INTO trace_segments', 1)
      const parsed = parseEnvelope(bytes)
      if (!parsed.ok) throw new Error('no envelope')
      const payload: unknown = JSON.parse(Buffer.from(parsed.envelope.items[0]?.payload ?? []).toString())
      delivered.push(v.parse(Delivered, payload))
    },
  })
  return { traces, delivered }
}

const ok = async () => new Response('')

it('a sampled request is a transaction with its server functions, and the statements of each', async () => {
  const { traces, delivered } = createTraces(0.5, 0.4)
  await traces.traceRequest({ method: 'GET', path: '/projects/secret-shop/keys' }, async () => {
    traces.noteStatement('SELECT 1', 1)
    await traces.traceFunction('fetchKeys', async () => {
      await Promise.resolve()
      traces.noteStatement('SELECT * FROM keys WHERE id = ?', 2)
    })
    return new Response('', { status: 200 })
  })
  const [transaction] = delivered
  expect(transaction?.transaction).toBe('GET /projects/*')
  expect(transaction?.contexts.trace).toMatchObject({ status: 'ok', client_sample_rate: 0.5 })
  const [first, inner, called] = transaction?.spans ?? []
  expect(transaction?.spans).toHaveLength(3)
  expect(first).toMatchObject({ op: 'db.query', description: 'SELECT 1' })
  expect(first?.parent_span_id).toBe(transaction?.contexts.trace.span_id)
  expect(called).toMatchObject({ op: 'function.tanstackstart', description: 'fetchKeys' })
  expect(inner).toMatchObject({ description: 'SELECT * FROM keys WHERE id = ?' })
  expect(inner?.parent_span_id).toBe(called?.span_id)
})

it('a request that is not sampled, and one at rate 0, is not recorded', async () => {
  for (const { traces, delivered } of [createTraces(0.5, 0.5), createTraces(0)]) {
    await traces.traceRequest({ method: 'GET', path: '/' }, async () => {
      traces.noteStatement('SELECT 1', 1)
      return traces.traceFunction('fetchKeys', ok)
    })
    expect(delivered).toEqual([])
  }
})

it('a failed request is one too, and still fails', async () => {
  const { traces, delivered } = createTraces(1)
  const failing = traces.traceRequest({ method: 'POST', path: '/_serverFn/abc' }, async () => {
    throw new Error('gone')
  })
  await expect(failing).rejects.toThrow('gone')
  expect(delivered[0]?.contexts.trace.status).toBe('internal_error')
  expect(delivered[0]?.transaction).toBe('POST /_serverFn/*')
})

it.each([
  ['/', '/'],
  ['/issues', '/issues'],
  ['/issues/4711?x=1', '/issues/*'],
  ['/ada@example.com', '/*'],
  ['//evil/x', '//*'],
])('of the path %s only %s is kept', async (path, name) => {
  const { traces, delivered } = createTraces(1)
  await traces.traceRequest({ method: 'GET', path }, ok)
  expect(delivered[0]?.transaction).toBe(`GET ${name}`)
})
