import { parseCheckIn, type CheckInProblem } from '#monitors/check-in.ts'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { limits } from '#server/limits.ts'
import type { QueuedCheckIn } from '#server/store/monitors/records.ts'
import type { Reception } from './reception.ts'
import { scrubItem } from './scrubbed.ts'

/** The result of a check-in item: queued for its monitor, or counted as invalid. */
export type CheckInItemResult = { ok: true; queued: QueuedCheckIn } | { ok: false; reason: CheckInProblem }

/** Parses a check-in and scrubs its output. Pure. */
export function toCheckInItemResult(
  { payload }: EnvelopeItem,
  { projectId, receivedAt, rules }: Reception,
): CheckInItemResult {
  if (payload.byteLength > limits.eventBytes) return { ok: false, reason: 'too_large' }
  const json = parsePayloadJson(payload)
  const parsed = parseCheckIn(json.ok ? json.value : undefined)
  if (!parsed.ok) return parsed
  const { checkIn } = parsed
  if (checkIn.body !== undefined) {
    const value = { message: checkIn.body.slice(0, limits.checkInOutputCharacters) }
    const { message } = scrubItem(
      { value, payload: Buffer.from(JSON.stringify(value)) },
      rules.scrubPlan,
    ).value
    checkIn.body = typeof message === 'string' ? message : undefined
  }
  return { ok: true, queued: { projectId, receivedAt, checkIn } }
}
