import { inflateSync } from 'node:zlib'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { errorCode } from '#server/errors.ts'
import { limits } from '#server/limits.ts'

export type StoreBodyResult =
  | { ok: true; item: EnvelopeItem }
  | { ok: false; status: number; problem: string }

const openingBrace = 0x7b

/**
 * Reads the body of the old store endpoint as one event item: JSON, base64 of JSON, or base64 of zlib of JSON (raven
 * and sentry-python before 1.0). JSON that cannot be parsed is for the caller to find.
 */
export function parseStoreBody(body: Buffer): StoreBodyResult {
  const start = firstVisible(body)
  if (start === body.length) return { ok: false, status: 400, problem: 'empty request body' }
  if (body[start] === openingBrace) return toItem(body)
  const decoded = Buffer.from(body.toString('latin1'), 'base64')
  if (decoded[firstVisible(decoded)] === openingBrace) return toItem(decoded)
  try {
    return toItem(inflateSync(decoded, { maxOutputLength: limits.eventBytes }))
  } catch (error) {
    const isBomb = errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    return isBomb
      ? { ok: false, status: 413, problem: 'the event is larger than allowed' }
      : { ok: false, status: 400, problem: 'invalid JSON data' }
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
