import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { parsePerformanceEvidence } from '#traces/performance-evidence.ts'

/**
 * The ids of the spans in an event's contexts, in lower case: those of a performance problem, otherwise the
 * span in which the event occurred.
 */
export function listNamedSpans({ performance, trace }: Readonly<Record<string, unknown>>): string[] {
  const evidence = isJsonObject(performance) ? parsePerformanceEvidence(performance) : undefined
  const ids = evidence?.spanIds ?? [isJsonObject(trace) ? trace['span_id'] : undefined]
  return ids.flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []))
}

/** The same for the payload of an event. */
export function listSpansOfPayload(payload: Uint8Array): string[] {
  const parsed = parsePayloadJson(payload)
  const contexts = parsed.ok && isJsonObject(parsed.value) ? parsed.value['contexts'] : undefined
  return isJsonObject(contexts) ? listNamedSpans(contexts) : []
}
