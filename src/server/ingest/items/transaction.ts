import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { parseTransaction } from '#server/filter/transaction-subject.ts'
import { limits } from '#server/limits.ts'
import type { ReadSpans } from '#server/normalize/spans/read-segment.ts'
import { readTransaction } from '#server/normalize/spans/transaction.ts'
import { findFilterReason, toTraceSample, type FilteredItem } from './filtered.ts'
import type { Reception } from './reception.ts'
import { scrubItem } from './scrubbed.ts'
import { toSpanContext, type SentTrace } from './trace-record.ts'

/** The result of a transaction: dropped by a filter, parsed, or not a JSON object. */
export type TransactionResult =
  | { kind: 'filtered'; item: FilteredItem }
  | { kind: 'read'; read: ReadSpans }
  | { kind: 'unreadable' }

/** Parses a transaction item. Filters receive it as sent; the stored data is scrubbed. Pure. */
export function toTransactionResult(
  payload: Uint8Array,
  sent: SentTrace,
  reception: Reception,
): TransactionResult {
  if (payload.byteLength > limits.eventBytes) return { kind: 'unreadable' }
  const json = parsePayloadJson(payload)
  if (!json.ok || !isJsonObject(json.value)) return { kind: 'unreadable' }
  // The type is determined by the item. SDKs repeat it in the payload, where the noise rules expect it.
  const raw = { ...json.value, type: 'transaction' }
  const subject = parseTransaction(raw)
  const reason = findFilterReason({ subject, raw }, reception)
  if (reason === undefined) return { kind: 'read', read: readScrubbed(json.value, sent, reception) }
  const kept = scrubItem({ value: json.value, payload }, reception.rules.scrubPlan)
  const sample = toTraceSample(
    {
      subject: kept.value === json.value ? subject : parseTransaction(kept.value),
      category: 'transaction',
      environment: kept.value['environment'],
      eventId: kept.value['event_id'],
      traceId: findTraceId(kept.value),
      payload: kept.payload,
    },
    reason,
    reception,
  )
  return { kind: 'filtered', item: { reason, category: 'transaction', quantity: 1, sample } }
}

/** Scrubs and parses a transaction that no filter dropped. */
export function readScrubbed(value: JsonObject, sent: SentTrace, reception: Reception): ReadSpans {
  const { value: kept } = scrubItem({ value, payload: noBytes }, reception.rules.scrubPlan)
  return readTransaction(kept, toSpanContext(sent, reception))
}

const noBytes = new Uint8Array(0)

function findTraceId({ contexts }: JsonObject): Json | undefined {
  const trace = isJsonObject(contexts) ? contexts['trace'] : undefined
  return isJsonObject(trace) ? trace['trace_id'] : undefined
}
