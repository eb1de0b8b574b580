import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'

/**
 * The spans of an OTLP request by trace, in each the root spans first, and all others by service, with the id
 * and name of their root span if that is in the request. OpenTelemetry exports spans as they end, children
 * first and several traces mixed; filters look at root spans, and parts of a request are processed one after
 * the other.
 */
export function orderBySegment(spans: readonly JsonObject[]): JsonObject[] {
  return [...Map.groupBy(spans, (span) => span['trace_id']).values()].flatMap((ofTrace) => {
    const { roots = [], others = [] } = Object.groupBy(ofTrace, (span) =>
      span['is_segment'] === true ? 'roots' : 'others',
    )
    addSegments(roots, others)
    return roots.concat(...Map.groupBy(others, (span) => span['service_index']).values())
  })
}

/**
 * Follows each span to its root span, and adds the id and the name of that: a part of the request may be
 * processed without it. A span that is its own ancestor, or of which an ancestor is in another request, gets
 * neither.
 */
function addSegments(roots: readonly JsonObject[], others: readonly JsonObject[]): void {
  const segmentIds = new Map<Json | undefined, Json | undefined>(
    roots.map(({ span_id: id }) => [id, id] as const),
  )
  const names = new Map(roots.map(({ span_id: id, name }) => [id, name] as const))
  const parentIds = new Map(others.map(({ span_id: id, parent_span_id: parentId }) => [id, parentId]))
  for (const { span_id: id, attributes } of others) {
    const path: (Json | undefined)[] = []
    let at: Json | undefined = id
    while (!segmentIds.has(at) && parentIds.has(at)) {
      path.push(at)
      // Ends a cycle here.
      segmentIds.set(at, undefined)
      at = parentIds.get(at)
    }
    const segmentId = segmentIds.get(at)
    for (const passed of path) segmentIds.set(passed, segmentId)
    if (segmentId === undefined || !isJsonObject(attributes)) continue
    attributes['sentry.segment.id'] ??= { value: segmentId }
    attributes['sentry.segment.name'] ??= { value: names.get(segmentId) ?? null }
  }
}
