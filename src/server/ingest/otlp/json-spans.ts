import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import type { FieldCount } from './field-count.ts'
import { JsonCursor, JsonError } from './json-cursor.ts'
import type { NextSpan, SentSpan } from './sent-span.ts'

/**
 * Iterates over the spans of an `ExportTraceServiceRequest` in JSON, and parses one at a time. Lenient about
 * values of the wrong type. Throws `JsonError` and `TooManyFieldsError`.
 */
export function* readJsonSpans(bytes: Buffer, count: FieldCount): Generator<NextSpan> {
  const json = new JsonCursor(bytes)
  if (!json.isAtObject()) throw new JsonError('the request is not an object')
  for (const name of json.members(count.parts)) {
    yield undefined
    if (name !== 'resourceSpans') json.skip()
    else for (const element of json.elements(count.parts)) yield* readResourceSpans(element, count)
  }
  json.expectEnd()
}

function* readResourceSpans(json: JsonCursor, count: FieldCount): Generator<NextSpan> {
  let resource: JsonObject | undefined
  const skipped: number[] = []
  for (const name of json.members(count.parts)) {
    yield undefined
    if (name === 'resource') {
      const value = json.read(count.ofPart())
      resource ??= isJsonObject(value) ? value : {}
    } else if (name === 'scopeSpans' && resource !== undefined) yield* readScopes(json, resource, count)
    else {
      // The members of an object have no order.
      if (name === 'scopeSpans') skipped.push(json.at)
      json.skip()
    }
  }
  const end = json.at
  for (const at of skipped) {
    json.at = at
    yield* readScopes(json, resource ?? {}, count)
  }
  json.at = end
}

function* readScopes(json: JsonCursor, resource: JsonObject, count: FieldCount): Generator<NextSpan> {
  for (const scope of json.elements(count.parts)) {
    for (const name of scope.members(count.parts)) {
      yield undefined
      if (name !== 'spans') json.skip()
      else for (const span of json.elements(count.parts)) yield* readSpan(span, resource, count)
    }
  }
}

function* readSpan(json: JsonCursor, resource: JsonObject, count: FieldCount): Generator<NextSpan> {
  let isRead = false
  const read: SentSpan['read'] = () => {
    isRead = true
    // Other values are skipped, which is faster than parsing.
    return json.isAtObject() ? json.read(count.ofPart()) : json.skip()
  }
  yield { resource, read }
  if (!isRead) json.skip()
}
