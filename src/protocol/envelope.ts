import { isNilEventId, parseEventId } from './event-id.ts'
import { isJsonObject, type Json, type JsonObject } from './json.ts'
import { parseTimestamp } from './timestamp.ts'

/** The content of one SDK request: a header and any number of items. */
export interface Envelope {
  header: EnvelopeHeader
  items: EnvelopeItem[]
}

export interface EnvelopeHeader {
  /** 32 lower-case hex digits. */
  eventId?: string
  /** As sent; only tunnels need it. */
  dsn?: string
  /** Unix milliseconds by the sender's clock. */
  sentAt?: number
  sdk?: { name?: string; version?: string }
  /** The header as sent, unknown fields included. */
  raw: JsonObject
}

export interface EnvelopeItem {
  /** Any string: unknown types are for the receiver to skip. */
  type: string
  /** The item's header as sent, `type` and `length` included. */
  header: JsonObject
  /** A view of the envelope's bytes, not a copy: it keeps the whole envelope in memory. */
  payload: Uint8Array
}

/** `hasHeader`: only the items are invalid; the envelope's header is valid. */
export type EnvelopeResult =
  | { ok: true; envelope: Envelope }
  | { ok: false; problem: string; hasHeader: boolean }

/** Bounds of the framing; real envelopes stay far below them. */
export const envelopeLimits = {
  /** Bytes of one header line. The largest seen is 700 (trace header); the JavaScript tunnel reads 64 KiB. */
  headerBytes: 65_536,
  /**
   * Bytes of all header lines together: a thousand of usual length. They are parsed without a pause, and a
   * body could contain more.
   */
  allHeadersBytes: 524_288,
  /** Levels of objects and lists in one header line: Relay's limit, and below the limit of serialization. */
  headerDepth: 128,
  /** Consecutive insignificant spaces and line ends; megabytes of them would block the event loop. */
  blankBytes: 65_536,
  /** Items in one envelope. Sentry's limits allow about 200 (100 of them sessions). */
  items: 1000,
} as const

const newline = 0x0a
const carriageReturn = 0x0d

const headerDecoder = new TextDecoder('utf-8', { fatal: true })
const encoder = new TextEncoder()

/** Thrown inside this file only, and always caught by `parseEnvelope`. */
class FramingError extends Error {}

/**
 * Splits the bytes of an envelope into its header and items, without parsing the payloads.
 *
 * A superset of Relay's parser (develop docs, "Envelopes"): it also accepts spaces and CRLF after a header
 * line, blank lines, a byte order mark, and a missing or unreadable `sent_at`. All other framing errors (a
 * truncated payload, a header other than a JSON object, an item without `type`) are a problem, and then no
 * part of the envelope may be used.
 */
export function parseEnvelope(bytes: Uint8Array): EnvelopeResult {
  let header: EnvelopeHeader | undefined
  try {
    const cursor = new Cursor(bytes)
    header = parseEnvelopeHeader(cursor)
    const items: EnvelopeItem[] = []
    while (cursor.skipBlanks()) {
      if (items.length === envelopeLimits.items) throw new FramingError('too many items')
      items.push(parseItem(cursor))
    }
    return { ok: true, envelope: { header, items } }
  } catch (error) {
    if (error instanceof FramingError)
      return { ok: false, problem: error.message, hasHeader: header !== undefined }
    throw error
  }
}

/**
 * Serializes an envelope. Each item's `type` and `length` are taken from the item itself; other header fields
 * are unchanged.
 *
 * `header` is the envelope's header as sent over the wire (for example `Envelope.header.raw`).
 */
export function serializeEnvelope(header: JsonObject, items: readonly EnvelopeItem[]): Uint8Array {
  const chunks: Uint8Array[] = [encoder.encode(`${JSON.stringify(header)}\n`)]
  for (const { type, header: itemHeader, payload } of items) {
    const line = JSON.stringify({ ...itemHeader, type, length: payload.byteLength })
    chunks.push(encoder.encode(`${line}\n`), payload, Uint8Array.of(newline))
  }
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

function parseEnvelopeHeader(cursor: Cursor): EnvelopeHeader {
  if (!cursor.skipBlanks()) throw new FramingError('missing envelope header')
  const raw = parseHeaderLine(cursor, 'envelope header')
  const header: EnvelopeHeader = { raw }
  const eventId = parseEventId(raw['event_id'])
  const sentAt = parseTimestamp(raw['sent_at'])
  const sdk = raw['sdk']
  if (eventId !== undefined) header.eventId = eventId
  else if (raw['event_id'] != null && !isNilEventId(raw['event_id']))
    throw new FramingError('invalid event_id')
  if (typeof raw['dsn'] === 'string') header.dsn = raw['dsn']
  if (sentAt !== undefined) header.sentAt = sentAt
  if (isJsonObject(sdk)) {
    header.sdk = {
      ...(typeof sdk['name'] === 'string' && { name: sdk['name'] }),
      ...(typeof sdk['version'] === 'string' && { version: sdk['version'] }),
    }
  }
  return header
}

function parseItem(cursor: Cursor): EnvelopeItem {
  const header = parseHeaderLine(cursor, 'item header')
  const { type, length } = header
  if (typeof type !== 'string') throw new FramingError('item header without a type')
  if (length === undefined || length === null) return { type, header, payload: cursor.takeLine() }
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0) {
    throw new FramingError('item length is not a whole number')
  }
  return { type, header, payload: cursor.takeSized(length) }
}

function parseHeaderLine(cursor: Cursor, what: string): JsonObject {
  const line = cursor.takeLine()
  if (line.byteLength > envelopeLimits.headerBytes) throw new FramingError(`${what} too long`)
  if (cursor.countHeader(line) > envelopeLimits.allHeadersBytes) throw new FramingError('headers too long')
  let value: unknown
  try {
    value = JSON.parse(headerDecoder.decode(line))
  } catch {
    throw new FramingError(`${what} is not JSON`)
  }
  if (!isJsonObject(value)) throw new FramingError(`${what} is not a JSON object`)
  // Each level has at least two bytes.
  if (line.byteLength > 2 * envelopeLimits.headerDepth && isDeeper(value, envelopeLimits.headerDepth))
    throw new FramingError(`${what} nested too deeply`)
  return value
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}

/** A position in the envelope's bytes. Bytes, never text: lengths count bytes, and payloads may be binary. */
class Cursor {
  private readonly bytes: Uint8Array
  private offset = 0
  private headerBytes = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Adds a header line to the previous ones, and returns their total bytes. */
  countHeader(line: Uint8Array): number {
    this.headerBytes += line.byteLength
    return this.headerBytes
  }

  /** Skips spaces, tabs and line ends; false at the end. */
  skipBlanks(): boolean {
    const latest = this.offset + envelopeLimits.blankBytes
    while (this.offset < this.bytes.byteLength) {
      const byte = this.bytes[this.offset]
      if (byte !== newline && byte !== carriageReturn && byte !== 0x20 && byte !== 0x09) return true
      if (this.offset === latest) throw new FramingError('too many blanks')
      this.offset += 1
    }
    return false
  }

  /** The bytes up to the next newline or the end; consumes the newline but does not return it. */
  takeLine(): Uint8Array {
    const found = this.bytes.indexOf(newline, this.offset)
    const end = found === -1 ? this.bytes.byteLength : found
    const line = this.bytes.subarray(this.offset, end)
    this.offset = Math.min(end + 1, this.bytes.byteLength)
    return line
  }

  /** Exactly `length` bytes, which a newline or the end has to follow. */
  takeSized(length: number): Uint8Array {
    const end = this.offset + length
    if (end > this.bytes.byteLength) throw new FramingError('payload shorter than its length')
    const payload = this.bytes.subarray(this.offset, end)
    const isCrLf = this.bytes[end] === carriageReturn && this.bytes[end + 1] === newline
    const next = isCrLf ? end + 1 : end
    if (next < this.bytes.byteLength && this.bytes[next] !== newline) {
      throw new FramingError('missing newline after payload')
    }
    this.offset = Math.min(next + 1, this.bytes.byteLength)
    return payload
  }
}
