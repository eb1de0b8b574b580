import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { readResource, toSentrySpan } from './to-spans.ts'

type Values = Record<string, string | number | boolean>

const pairsOf = (values: Values): JsonObject[] =>
  Object.entries(values).map(([key, value]) => ({ key, value: valueOf(value) }))

function valueOf(value: Values[string]): JsonObject {
  if (typeof value === 'string') return { stringValue: value }
  return typeof value === 'boolean' ? { boolValue: value } : { intValue: String(value) }
}

/** The attributes of a converted span. */
function attributesOf(kind: number, values: Values, resource: Values = {}): Record<string, Json> {
  const service = readResource({ attributes: pairsOf(resource) })
  const { attributes } = toSentrySpan({ kind, attributes: pairsOf(values) }, service)
  return isJsonObject(attributes)
    ? Object.fromEntries(
        Object.entries(attributes).map(([name, held]) => [
          name,
          isJsonObject(held) ? (held['value'] ?? null) : null,
        ]),
      )
    : {}
}

const [server, client, producer, consumer] = [2, 3, 4, 5] as const

describe('a span of OpenTelemetry', () => {
  it('of a request to a server is read by earlier names of its attributes', () => {
    const sent = {
      'http.method': 'POST',
      'http.target': '/orders/7?full&x=1?',
      'http.host': 'shop.example:8443',
      'http.scheme': 'https',
      'http.status_code': 404,
      'http.user_agent': 'curl/8',
      'net.peer.name': '192.0.2.7',
      'net.peer.port': 50_000,
    }
    const read = attributesOf(server, sent, { 'deployment.environment': 'staging' })
    expect(read).toEqual({
      'sentry.op': 'http.server',
      'sentry.origin': 'auto.otlp.spans',
      'sentry.kind': 'server',
      'sentry.environment': 'staging',
      'http.request.method': 'POST',
      'url.path': '/orders/7',
      'url.query': 'full&x=1?',
      'server.address': 'shop.example',
      'url.scheme': 'https',
      'http.response.status_code': 404,
      'user_agent.original': 'curl/8',
      'client.address': '192.0.2.7',
      'client.port': 50_000,
    })
  })

  it('of a query or a request by a client is, too', () => {
    expect(
      attributesOf(client, { 'db.system': 'mysql', 'db.statement': 'SELECT 1', 'db.name': 'shop' }),
    ).toMatchObject({
      'sentry.op': 'db',
      'db.system.name': 'mysql',
      'db.query.text': 'SELECT 1',
      'db.namespace': 'shop',
    })
    expect(
      attributesOf(client, {
        'http.method': 'GET',
        'http.url': 'https://a.example/b',
        'net.peer.name': 'a.example',
      }),
    ).toMatchObject({
      'sentry.op': 'http.client',
      'url.full': 'https://a.example/b',
      'server.address': 'a.example',
    })
  })

  it('of a message is, too', () => {
    const sent = { 'messaging.system': 'kafka', 'messaging.destination': 'mails' }
    expect(attributesOf(producer, sent)).toMatchObject({
      'sentry.op': 'queue.publish',
      'messaging.destination.name': 'mails',
    })
  })

  it('keeps what was sent under the current name, in any order', () => {
    const current = { 'http.request.method': 'GET' }
    const earlier = { 'http.method': '_OTHER' }
    for (const both of [
      { ...current, ...earlier },
      { ...earlier, ...current },
    ])
      expect(attributesOf(server, both)).toMatchObject(current)
  })

  it.each<[kind: number, operation: Values, op: string]>([
    [producer, {}, 'queue.publish'],
    [client, { 'messaging.operation': 'publish' }, 'queue.publish'],
    [producer, { 'messaging.operation.type': 'send' }, 'queue.publish'],
    [producer, { 'messaging.operation.type': 'create' }, 'queue.create'],
    [consumer, { 'messaging.operation': 'receive' }, 'queue.receive'],
    [consumer, { 'messaging.operation': 'process' }, 'queue.process'],
    [consumer, {}, 'queue.process'],
    [client, { 'messaging.operation.type': 'settle' }, 'queue.settle'],
    [client, { 'messaging.operation.type': 'other' }, 'queue'],
  ])('of kind %s with %o is of a queue: %s', (kind, operation, op) => {
    expect(attributesOf(kind, { 'messaging.system': 'kafka', ...operation })['sentry.op']).toBe(op)
  })

  it.each(['', '0'.repeat(16), undefined])('with %o as its parent has none', (parentSpanId = '') => {
    const span = toSentrySpan({ parentSpanId, kind: 1 }, new Map())
    expect([span['is_segment'], span['parent_span_id']]).toEqual([true, undefined])
  })
})
