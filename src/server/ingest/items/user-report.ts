import { hash } from 'node:crypto'
import { parseEventId } from '#protocol/event-id.ts'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { cleanText } from '#server/normalize/text.ts'

/** A user report as feedback; `eventId` is the id of the feedback itself. */
export type UserReportResult =
  | { ok: true; eventId: string; value: JsonObject }
  | { ok: false; reason: 'invalid_json' | 'no_data' }

/**
 * Parses a user report, the predecessor of feedback in SDKs, as feedback about its event. Its id is a hash of
 * its contents, so that repetitions are dropped. `envelopeEventId` is the event it is about if the report
 * names none.
 */
export function parseUserReport(value: unknown, envelopeEventId: string | undefined): UserReportResult {
  if (!isJsonObject(value)) return { ok: false, reason: 'invalid_json' }
  const aboutEventId = parseEventId(value['event_id']) ?? envelopeEventId
  if (aboutEventId === undefined) return { ok: false, reason: 'invalid_json' }
  const message = readText(value['comments'], limits.messageCharacters)
  if (message === '') return { ok: false, reason: 'no_data' }
  const feedback = {
    message,
    name: readText(value['name'], limits.nameCharacters),
    contact_email: readText(value['email'], limits.nameCharacters),
    associated_event_id: aboutEventId,
    source: 'user_report',
  }
  const eventId = hash('sha256', JSON.stringify(feedback), 'hex').slice(0, 32)
  return { ok: true, eventId, value: { type: 'feedback', level: 'info', contexts: { feedback } } }
}

function readText(value: Json | undefined, maxCharacters: number): string {
  return typeof value === 'string' ? cleanText(value.trim(), maxCharacters) : ''
}
