import { unzipSync } from 'node:zlib'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import type { RejectionReason } from '#protocol/rejection.ts'
import { errorCode } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { tooLarge } from '#server/too-large.ts'
import { queryValues } from './query-values.ts'

export type StoreBodyResult =
  | { ok: true; item: EnvelopeItem }
  | { ok: false; status: number; reason: RejectionReason; problem: string }

const openingBrace = 0x7b
const ampersand = 0x26

/** The form field, or query parameter, that contains the event. */
const formField = 'sentry_data'

/**
 * Parses the body of the legacy store endpoint as one event item: JSON, base64 of JSON, base64 of zlib (raven
 * and sentry-python before 1.0) or gzip of JSON, or a form with one of these in `sentry_data`. A form is
 * recognized by that name, because many clients declare plain JSON as a form. The caller handles JSON that
 * cannot be parsed.
 */
export function parseStoreBody(body: Buffer): StoreBodyResult {
  const start = firstVisible(body)
  if (start === body.length)
    return { ok: false, status: 400, reason: 'no_data', problem: 'empty request body' }
  if (body[start] === openingBrace) return toItem(body)
  // Base64 never contains this text.
  const named = body.indexOf(`${formField}=`, start)
  const isForm = named === start || (named > start && body[named - 1] === ampersand)
  if (isForm) return parseStoreText(queryValues(body.toString('utf8', start), formField)[0] ?? '')
  return parseEncoded(body.toString('latin1'))
}

/** The same for the text of `sentry_data`, percent-decoded. */
export function parseStoreText(text: string): StoreBodyResult {
  const trimmed = text.trim()
  if (trimmed === '') return { ok: false, status: 400, reason: 'no_data', problem: 'no event in sentry_data' }
  if (trimmed.startsWith('{')) return toItem(Buffer.from(trimmed))
  // A plus that its sender did not escape has become a space.
  return parseEncoded(trimmed.replaceAll(' ', '+'))
}

function parseEncoded(base64: string): StoreBodyResult {
  const decoded = Buffer.from(base64, 'base64')
  if (decoded[firstVisible(decoded)] === openingBrace) return toItem(decoded)
  try {
    return toItem(unzipSync(decoded, { maxOutputLength: limits.eventBytes }))
  } catch (error) {
    const isBomb = errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    return isBomb
      ? tooLarge('the event is larger than allowed')
      : { ok: false, status: 400, reason: 'invalid_json', problem: 'invalid JSON data' }
  }
}

function toItem(payload: Uint8Array): StoreBodyResult {
  return { ok: true, item: { type: 'event', header: { type: 'event' }, payload } }
}

function firstVisible(bytes: Uint8Array): number {
  const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  let at = hasByteOrderMark ? 3 : 0
  while (at < bytes.length && (bytes[at] ?? 0) <= 0x20) at++
  return at
}
