import { parseClientReport } from '#protocol/client-report.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { limits } from '#server/limits.ts'
import type { OutcomeCount } from '#server/store/ingest/records.ts'
import type { Reception } from './reception.ts'

/**
 * The discard reasons of SDKs (develop docs, "Client Reports"). Any other reason is counted as `other`: the
 * text is untrusted, and each new one would add a row an hour forever.
 */
export const discardReasons: ReadonlySet<string> = new Set([
  'backpressure',
  'before_send',
  'buffer_overflow',
  'cache_overflow',
  'callback_error',
  'event_processor',
  'ignored',
  'insufficient_data',
  'internal_sdk_error',
  'invalid',
  'missing_trace',
  'network_error',
  'no_parent_span',
  'queue_overflow',
  'ratelimit_backoff',
  'sample_rate',
  'send_error',
])

/**
 * Counts items that the SDK reports as discarded before sending. The report itself has no outcome. An
 * unreadable report adds nothing.
 */
export function toDiscardCounts(payload: Uint8Array, reception: Reception): OutcomeCount[] {
  const json = parsePayloadJson(payload)
  const report = json.ok ? parseClientReport(json.value) : undefined
  if (report === undefined) return []
  return report.discarded.map(({ reason, category, quantity }) => ({
    projectId: reception.projectId,
    category,
    outcome: 'client_discard',
    reason: discardReasons.has(reason) ? reason : 'other',
    quantity: Math.min(quantity, limits.clientReportQuantity),
    at: reception.receivedAt,
  }))
}
