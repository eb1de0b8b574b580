import type { EnvelopeItem } from '#protocol/envelope.ts'
import { limits } from '#server/limits.ts'

/** Item types whose payload is parsed as JSON. */
const readTypes = new Set([
  'event',
  'security',
  'feedback',
  'user_report_v2',
  'raw_security',
  'user_report',
  'client_report',
  'transaction',
  'span',
  'session',
  'sessions',
])

/**
 * Limits how much of one envelope is parsed as JSON: parsing blocks the event loop, and a body can be much
 * larger than any event. Spans have a limit of their own, because SDKs send large batches of them.
 */
export class ReadingBudget {
  private bytes = 0
  private spanBytes = 0
  private readonly maxSpanBytes: number

  constructor(maxSpanBytes: number = limits.spanItemBytes) {
    this.maxSpanBytes = maxSpanBytes
  }

  /**
   * True for an item that is not parsed, or may be; false for a payload that is too large by itself, or once
   * enough of the envelope has been parsed.
   */
  allows({ type, payload }: EnvelopeItem): boolean {
    const { byteLength } = payload
    if (!readTypes.has(type)) return true
    if (type === 'span') {
      if (byteLength > limits.spanItemBytes || hasManyObjects(payload)) return false
      this.spanBytes += byteLength
      return this.spanBytes <= this.maxSpanBytes
    }
    if (byteLength > limits.eventBytes) return false
    this.bytes += byteLength
    return this.bytes <= limits.jsonBytesPerEnvelope
  }
}

const openingBrace = 0x7b
const openingBracket = 0x5b

/**
 * True for a large payload with objects or arrays of a few bytes, which take ten times as long to parse as
 * spans.
 */
function hasManyObjects(payload: Uint8Array): boolean {
  const most = limits.spanItemObjects
  if (payload.byteLength < 2 * most) return false
  let count = 0
  // By index: `for … of` takes nine times as long for a `Buffer` (measured).
  for (let at = 0; at < payload.byteLength; at += 1) {
    const byte = payload[at]
    if (byte === openingBrace || byte === openingBracket) count += 1
    if (count > most) return true
  }
  return false
}
