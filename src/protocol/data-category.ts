/**
 * Data categories by item type, as Relay's `data_category.rs` names them and as `X-Sentry-Rate-Limits` spells
 * them. Items that Relay does not count are `internal`, as in the SDKs.
 */
const categories = new Map([
  ['event', 'error'],
  ['unreal_report', 'error'],
  ['transaction', 'transaction'],
  ['security', 'security'],
  ['raw_security', 'security'],
  ['attachment', 'attachment'],
  ['session', 'session'],
  ['sessions', 'session'],
  ['user_report', 'feedback'],
  ['user_report_v2', 'feedback'],
  ['feedback', 'feedback'],
  ['profile', 'profile'],
  ['profile_chunk', 'profile_chunk'],
  ['replay_event', 'replay'],
  ['replay_recording', 'replay'],
  ['replay_video', 'replay'],
  ['check_in', 'monitor'],
  ['span', 'span'],
  ['otel_span', 'span'],
  ['otel_traces_data', 'span'],
  ['log', 'log_item'],
  ['otel_log', 'log_item'],
  ['otel_logs_data', 'log_item'],
  ['trace_metric', 'trace_metric'],
  ['statsd', 'metric_bucket'],
  ['metric_buckets', 'metric_bucket'],
  ['metric_meta', 'metric_bucket'],
  ['client_report', 'internal'],
  ['form_data', 'internal'],
  ['nel', 'internal'],
  ['integration', 'internal'],
])

const knownCategories = new Set([
  ...categories.values(),
  'default',
  'log_byte',
  'attachment_item',
  'profile_chunk_ui',
  'profile_duration',
  'profile_indexed',
  'span_indexed',
  'transaction_indexed',
  'transaction_processed',
  'trace_metric_byte',
  'monitor_seat',
  'metric',
  'unknown',
])

/** The data category under which an envelope item is counted and limited; `unknown` for an unknown type. */
export function itemCategory(itemType: string): string {
  return categories.get(itemType) ?? 'unknown'
}

/** True for a category that Sentry's SDKs and servers use; client reports count only under these. */
export function isDataCategory(category: string): boolean {
  return knownCategories.has(category)
}

/** Every category that `itemCategory` can return. */
export const itemCategories: readonly string[] = [...new Set([...categories.values(), 'unknown'])]
