import { isDataCategory } from './data-category.ts'
import { isJsonObject } from './json.ts'
import { parseTimestamp } from './timestamp.ts'

/** The items that an SDK reports as discarded before sending. */
export interface ClientReport {
  /** Unix milliseconds; absent if the report has no valid time. */
  at?: number
  discarded: DiscardedItems[]
}

export interface DiscardedItems {
  /** The SDK's reason: `before_send`, `ratelimit_backoff`, `queue_overflow`, … */
  reason: string
  /** A data category: `error`, `transaction`, … */
  category: string
  /** At least 1. */
  quantity: number
}

/** Distinct counts read from one report: SDKs have about 15 reasons and 15 categories. */
const discardedEntries = 250
/** Relay ignores longer reasons. */
const reasonCharacters = 200
/** One report covers a minute; larger counts are counter errors. */
const largestQuantity = 1_000_000_000

/**
 * Parses the payload of a `client_report` item; undefined when it is not a JSON object.
 *
 * Reports are best effort: an entry with an unknown category, a long reason or a quantity other than a
 * positive number is skipped, and `discarded_events` counts as empty if it is not a list (both are seen in
 * the wild). The lists that only Relays write (`rate_limited_events`, `filtered_events`,
 * `filtered_sampling_events`) are ignored.
 */
export function parseClientReport(value: unknown): ClientReport | undefined {
  if (!isJsonObject(value)) return undefined
  const entries = Array.isArray(value['discarded_events']) ? value['discarded_events'] : []
  const report: ClientReport = { discarded: [] }
  const at = parseTimestamp(value['timestamp'])
  if (at !== undefined) report.at = at
  for (const entry of entries.slice(0, discardedEntries)) {
    const items = parseDiscardedItems(entry)
    if (items !== undefined) report.discarded.push(items)
  }
  return report
}

function parseDiscardedItems(value: unknown): DiscardedItems | undefined {
  if (!isJsonObject(value)) return undefined
  const { reason, category, quantity } = value
  if (typeof reason !== 'string' || reason === '' || reason.length > reasonCharacters) return undefined
  if (typeof category !== 'string' || !isDataCategory(category)) return undefined
  if (typeof quantity !== 'number' || !(quantity >= 1)) return undefined
  return { reason, category, quantity: Math.min(Math.floor(quantity), largestQuantity) }
}
