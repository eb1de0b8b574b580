import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { parseTransaction } from '#server/filter/transaction-subject.ts'
import { limits } from '#server/limits.ts'
import { findFilterReason, toTraceSample, type FilteredItem } from './filtered.ts'
import type { Reception } from './reception.ts'
import { scrubItem } from './scrubbed.ts'

/**
 * Applies the filters to a transaction item. Returns what was dropped; undefined if no filter matches or the
 * item is unreadable. Transactions are not normalized, since they are not stored.
 */
export function findFilteredTransaction(payload: Uint8Array, reception: Reception): FilteredItem | undefined {
  if (payload.byteLength > limits.eventBytes) return undefined
  const json = parsePayloadJson(payload)
  if (!json.ok || !isJsonObject(json.value)) return undefined
  // The item's type says what it is; SDKs repeat it in the payload, and the noise rules look there.
  const raw = { ...json.value, type: 'transaction' }
  const subject = parseTransaction(raw)
  const reason = findFilterReason({ subject, raw }, reception)
  if (reason === undefined) return undefined
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
  return { reason, category: 'transaction', quantity: 1, sample }
}

function findTraceId({ contexts }: JsonObject): Json | undefined {
  const trace = isJsonObject(contexts) ? contexts['trace'] : undefined
  return isJsonObject(trace) ? trace['trace_id'] : undefined
}
