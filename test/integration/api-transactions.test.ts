import { afterAll, describe, expect, it } from 'vitest'
import { listDigestView } from '#server/console/events/events.ts'
import { findSpanView } from '#server/console/traces/traces.ts'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import { envelopeOf } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, otherProject } from '#test/start-server.ts'
import { viewerOfProject } from '#test/test-store.ts'

const traceId = '77'.repeat(16)
const eventId = 'abcdef0123456789abcdef0123456789'
const spanId = (number: number) => number.toString(16).padStart(16, '0')
const at = Math.floor(Date.now() / 1000) - 10
const org = '/organizations/default'

const server = await startApiServer()
const call = createApiCaller(server.origin, await addToken(server))
const transaction = {
  event_id: eventId,
  transaction: 'GET /named',
  start_timestamp: at,
  timestamp: at + 2,
  environment: 'staging',
  release: 'shop@2',
  contexts: { trace: { trace_id: traceId, span_id: spanId(1), op: 'http.server', status: 'ok' } },
  spans: [
    {
      trace_id: traceId,
      span_id: spanId(2),
      parent_span_id: spanId(1),
      op: 'function',
      description: 'span 2',
      start_timestamp: at + 0.25,
      timestamp: at + 0.75,
    },
  ],
  measurements: { lcp: { value: 1200, unit: 'millisecond' }, queue: { value: 7, unit: 'none' } },
  user: { id: 7 },
  sdk: { name: 'sentry.javascript.node', version: '10.75.0' },
}
const answer = await postEnvelope(server.origin, envelopeOf({}, ['transaction', transaction]))
if (answer.status !== 200) throw new Error(`the transaction was answered ${answer.status}`)
afterAll(() => server.stop())

describe('a transaction with an event id', () => {
  const place = { projectSlug: 'fixture', groupId: null, eventId }

  it('is an event with its spans, of its project', async () => {
    const { status, json } = await call(`/projects/default/fixture/events/${eventId}/`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      eventID: eventId,
      groupID: null,
      type: 'transaction',
      title: 'GET /named',
      startTimestamp: at,
      endTimestamp: at + 2,
      tags: [
        { key: 'environment', value: 'staging' },
        { key: 'release', value: 'shop@2' },
        { key: 'transaction', value: 'GET /named' },
      ],
      contexts: { trace: { trace_id: traceId, span_id: spanId(1), op: 'http.server', status: 'ok' } },
      entries: [{ type: 'spans', data: [{ span_id: spanId(2), op: 'function', description: 'span 2' }] }],
      measurements: { lcp: { value: 1200 }, queue: { value: 7 } },
      user: { id: '7' },
      sdk: { name: 'sentry.javascript.node', version: '10.75.0' },
    })
    expect((await call(`/projects/default/other/events/${eventId}/`)).status).toBe(404)
  })

  it('is located like an event', async () => {
    const { status, json } = await call(`${org}/eventids/${eventId}/`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ organizationSlug: 'default', ...place, event: { id: eventId } })
    expect((await call(`${org}/eventids/${'9'.repeat(32)}/`)).status).toBe(404)
  })

  it('has this id in its trace', async () => {
    expect((await call(`${org}/trace/${traceId}/`)).json).toMatchObject([
      { event_id: spanId(1), transaction_id: eventId, children: [{ transaction_id: eventId }] },
    ])
    expect((await call(`${org}/events-trace/${traceId}/`)).json).toMatchObject({
      transactions: [{ event_id: eventId, span_id: spanId(1) }],
    })
    const query = { traceId, spanId: spanId(1) }
    expect(await findSpanView(server.services, viewerOfProject(fixtureProject.id), query)).toMatchObject({
      eventId,
    })
  })

  it('leads to its trace by its event id or the beginning of it, for users with access to its project', async () => {
    const { services } = server
    const own = viewerOfProject(fixtureProject.id)
    const trace = { traceId, spanId: spanId(1) }
    for (const code of [eventId, eventId.slice(0, 12), eventId.toUpperCase()])
      expect(await listDigestView(services, own, code)).toMatchObject({ matches: [], trace })
    expect((await listDigestView(services, viewerOfProject(otherProject.id), eventId)).trace).toBeUndefined()
  })
})
