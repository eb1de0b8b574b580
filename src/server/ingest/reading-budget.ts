import type { EnvelopeItem } from '#protocol/envelope.ts'
import { limits } from '#server/limits.ts'

/** Item types whose payload is read as JSON. */
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
 * How much of one envelope is read as JSON: parsing holds the event loop, and a body is much larger than any
 * event.
 */
export class ReadingBudget {
  private bytes = 0
  private readonly maxBytes: number

  constructor(maxBytes: number = limits.jsonBytesPerEnvelope) {
    this.maxBytes = maxBytes
  }

  /**
   * True for an item that is not read, or may be; false for a payload that is too large on its own, and once
   * so much of the envelope has been read.
   */
  allows({ type, payload: { byteLength } }: EnvelopeItem): boolean {
    if (!readTypes.has(type)) return true
    if (byteLength > (type === 'span' ? limits.spanItemBytes : limits.eventBytes)) return false
    this.bytes += byteLength
    return this.bytes <= this.maxBytes
  }
}
