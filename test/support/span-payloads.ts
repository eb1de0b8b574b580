import type { JsonObject } from '#protocol/json.ts'

/** When the payloads below are received. */
export const receivedAt = Date.UTC(2026, 10, 26)
export const traceId = 'f925dd50f0a9479bb1f674ddf9a1d3e6'
export const rootId = '9a033b60b56ea46b'
/** `receivedAt` in Unix seconds. */
export const seconds = receivedAt / 1000

/** A transaction of 250 ms, as an SDK sends it, with the given changes. */
export function transaction(fields: JsonObject = {}, trace: JsonObject = {}): JsonObject {
  return {
    type: 'transaction',
    transaction: 'GET /orders/:id',
    transaction_info: { source: 'route' },
    start_timestamp: seconds - 1.5,
    timestamp: seconds - 1.25,
    platform: 'node',
    release: 'my-app@1.2.3',
    environment: 'staging',
    contexts: { trace: { trace_id: traceId, span_id: rootId, op: 'http.server', status: 'ok', ...trace } },
    ...fields,
  }
}

/** A span of `transaction`. */
export function child(fields: JsonObject = {}): JsonObject {
  return {
    span_id: '8068b0773cfe3e21',
    parent_span_id: rootId,
    op: 'db.query',
    description: 'SELECT 1',
    start_timestamp: seconds - 1.4,
    timestamp: seconds - 1.3999,
    ...fields,
  }
}

/** An attribute of version 2. */
export const textAttribute = (value: string): JsonObject => ({ type: 'string', value })

/** A span of version 2 that is the root of its segment. */
export function spanV2(fields: JsonObject = {}, attributes: JsonObject = {}): JsonObject {
  return {
    trace_id: traceId,
    span_id: rootId,
    name: 'GET',
    status: 'ok',
    is_segment: true,
    start_timestamp: seconds - 1.5,
    end_timestamp: seconds - 1.25,
    attributes: {
      'sentry.op': textAttribute('http.server'),
      'sentry.release': textAttribute('my-app@1.2.3'),
      'sentry.environment': textAttribute('staging'),
      'sentry.sdk.name': textAttribute('sentry.javascript.node'),
      'sentry.source': textAttribute('route'),
      ...attributes,
    },
    ...fields,
  }
}
