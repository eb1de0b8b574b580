import { createHash } from 'node:crypto'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import type { JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { parseSecurityReport } from '#protocol/security-report.ts'
import { limits } from '#server/limits.ts'
import type { Reception } from './reception.ts'
import { toSecurityEvent, type ReportSource } from './security-event.ts'

/** The contents of an item with browser reports. */
export interface ReportList {
  /** One event per valid report. */
  events: JsonObject[]
  /** Counts of invalid reports by reason. */
  lost: { reason: string; quantity: number }[]
}

/** Parses the payload of a `raw_security` item: one report, or a list of reports from the Reporting API. */
export function readReports(item: EnvelopeItem, reception: Reception): ReportList {
  const json = parsePayloadJson(item.payload)
  if (!json.ok) return { events: [], lost: [{ reason: 'invalid_json', quantity: 1 }] }
  const values: unknown[] = Array.isArray(json.value) ? json.value : [json.value]
  if (values.length === 0) return { events: [], lost: [{ reason: 'no_data', quantity: 1 }] }
  const list: ReportList = { events: [], lost: [] }
  const source = reportSource(item)
  for (const value of values.slice(0, limits.reportsPerRequest)) {
    const parsed = parseSecurityReport(value)
    if (parsed.ok) list.events.push(toSecurityEvent(parsed.report, source, reception))
    else list.lost.push({ reason: parsed.reason, quantity: 1 })
  }
  const surplus = values.length - limits.reportsPerRequest
  if (surplus > 0) list.lost.push({ reason: 'too_large', quantity: surplus })
  return list
}

/** The site of the reports, from the URL that they were sent to. */
function reportSource({ header }: EnvelopeItem): ReportSource {
  const { sentry_release: release, sentry_environment: environment } = header
  return {
    ...(typeof release === 'string' && { release }),
    ...(typeof environment === 'string' && { environment }),
  }
}

/**
 * The id of a list's next event: processing the list again creates the same ids, so that duplicates are
 * dropped.
 */
export function nextEventId(eventId: string): string {
  return createHash('sha256').update(eventId).digest('hex').slice(0, 32)
}
