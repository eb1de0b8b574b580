import { parseClientReport } from '#protocol/client-report.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { limits } from '#server/limits.ts'
import type { OutcomeCount } from '#server/store/events/record.ts'
import type { Reception } from './reception.ts'

/**
 * The reasons SDKs give (develop docs, "Client Reports"). Any other one is counted as `other`: the text comes
 * from outside, and each new one would be a row an hour for ever.
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
 * Counts what an SDK says it threw away before sending. The report is no item of its own: it adds nothing
 * else. A report that cannot be read adds nothing.
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
