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
 * larger than any event.
 */
export class ReadingBudget {
  private bytes = 0
  private readonly maxBytes: number

  constructor(maxBytes: number = limits.jsonBytesPerEnvelope) {
    this.maxBytes = maxBytes
  }

  /**
   * True for an item that is not parsed, or may be; false for a payload that is too large by itself, or once
   * enough of the envelope has been parsed.
   */
  allows({ type, payload: { byteLength } }: EnvelopeItem): boolean {
    if (!readTypes.has(type)) return true
    if (byteLength > (type === 'span' ? limits.spanItemBytes : limits.eventBytes)) return false
    this.bytes += byteLength
    return this.bytes <= this.maxBytes
  }
}
