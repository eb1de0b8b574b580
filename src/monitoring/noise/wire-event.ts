import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'

/**
 * Tag (or span attribute) an application sets on a page transaction whose route resolved to not-found: the
 * SDK names such a transaction after the route, like any other page.
 */
const routeStatusTag = 'culvert.route_status'
export const notFoundRouteStatus = 'not_found'

/** The fields of a transaction or root span that the rules read. */
export interface RootSpan {
  name: Json | undefined
  op: Json | undefined
  origin: Json | undefined
  /** The source of the name: `route`, `url`, `custom` … */
  source: Json | undefined
  status: Json | undefined
  /** Of the HTTP response. */
  statusCode: Json | undefined
  /** Why the browser SDK ended a page load or navigation: `idleTimeout`, `finalTimeout`, `cancelled` … */
  finishReason: Json | undefined
  routeStatus: Json | undefined
}

/** True for an error or a message; false for events of another type (feedback, replay, CSP report …). */
export function isErrorEvent(event: JsonObject): boolean {
  const type = event['type']
  return type === undefined || type === null || type === 'error' || type === 'default'
}

/**
 * Reads the root span of a transaction, or of a span item (version 2) that is a root span; undefined for
 * other items.
 */
export function findRootSpan(event: JsonObject): RootSpan | undefined {
  if (event['is_segment'] === true) return fromSpan(event)
  const isTransaction =
    event['type'] === 'transaction' || (event['type'] == null && 'start_timestamp' in event)
  return isTransaction ? fromTransaction(event) : undefined
}

/** The property of a JSON object; undefined if `parent` is not an object. */
export function property(parent: unknown, key: string): Json | undefined {
  return isJsonObject(parent) ? parent[key] : undefined
}

/** The thrown exception: the last one, in any of the shapes that SDKs send. */
export function lastException(event: JsonObject): Json | undefined {
  return listExceptions(event).at(-1)
}

/** Root cause first. SDKs send `{ values: [] }`, a plain list, or a single exception. */
export function listExceptions(event: JsonObject): Json[] {
  const exception = event['exception']
  if (Array.isArray(exception)) return exception
  if (!isJsonObject(exception)) return []
  const values = exception['values']
  if (Array.isArray(values)) return values
  return 'type' in exception || 'value' in exception ? [exception] : []
}

function fromTransaction(event: JsonObject): RootSpan {
  const trace = property(event['contexts'], 'trace')
  const response = property(event['contexts'], 'response')
  const data = property(trace, 'data')
  return {
    name: event['transaction'],
    op: property(trace, 'op') ?? property(data, 'sentry.op'),
    origin: property(trace, 'origin') ?? property(data, 'sentry.origin'),
    source: property(event['transaction_info'], 'source') ?? property(data, 'sentry.source'),
    status: property(trace, 'status'),
    statusCode:
      property(response, 'status_code') ??
      property(data, 'http.response.status_code') ??
      property(data, 'http.status_code'),
    finishReason: property(data, 'sentry.idle_span_finish_reason'),
    routeStatus: findTag(event['tags'], routeStatusTag) ?? property(data, routeStatusTag),
  }
}

function fromSpan(span: JsonObject): RootSpan {
  const attribute = (key: string): Json | undefined => property(property(span['attributes'], key), 'value')
  return {
    name: span['name'],
    op: attribute('sentry.op'),
    origin: attribute('sentry.origin'),
    source: attribute('sentry.segment.name.source') ?? attribute('sentry.source'),
    // `status` itself is only `ok` or `error` here.
    status: attribute('sentry.status.message'),
    statusCode: attribute('http.response.status_code') ?? attribute('http.status_code'),
    finishReason: attribute('sentry.idle_span_finish_reason'),
    routeStatus: attribute(routeStatusTag),
  }
}

/** SDKs send tags as a map or as a list of pairs. */
function findTag(tags: Json | undefined, key: string): Json | undefined {
  if (!Array.isArray(tags)) return property(tags, key)
  const pair = tags.find((tag) => Array.isArray(tag) && tag[0] === key)
  return Array.isArray(pair) ? pair[1] : undefined
}
