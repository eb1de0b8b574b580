import { parsePayloadText } from '#protocol/payload-json.ts'
import type { FieldCounter } from './field-count.ts'

/** Thrown for invalid JSON. */
export class JsonError extends Error {}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const object = { open: 0x7b, close: 0x7d }
const list = { open: 0x5b, close: 0x5d }

/**
 * The role of a byte in a value: it opens or closes brackets, ends a scalar, begins a string, or is part of
 * it.
 */
const roles = { part: 0, opening: 1, closing: 2, ending: 3, quoted: 4 } as const
/** Roles by byte. All characters with a role are ASCII, whose bytes occur in no other character of UTF-8. */
const roleOf = new Uint8Array(256)
roleOf[quote] = roles.quoted
for (const { open, close } of [object, list]) {
  roleOf[open] = roles.opening
  roleOf[close] = roles.closing
}
for (const char of ',: \t\n\r') roleOf[char.charCodeAt(0)] = roles.ending

/**
 * Iterates over a JSON text, and parses only the requested values, one at a time. Skipped values need not be
 * valid.
 */
export class JsonCursor {
  /** The offset in the bytes. */
  at: number
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
    const hasByteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    this.at = hasByteOrderMark ? 3 : 0
  }

  isAtObject(): boolean {
    this.passSpace()
    return this.bytes[this.at] === object.open
  }

  /**
   * The names in the object at the cursor. After each, the caller has to read or skip its value. Skips a
   * value that is not an object.
   */
  *members(count: FieldCounter): Generator<string> {
    for (const member of this.walk(object, count)) {
      const name = member.read(count)
      member.expect(colon)
      yield typeof name === 'string' ? name : ''
    }
  }

  /**
   * Yields this cursor at each value of the list at the cursor, which the caller has to read or skip. Skips a
   * value that is not a list.
   */
  elements(count: FieldCounter): Generator<JsonCursor> {
    return this.walk(list, count)
  }

  /** Parses the value at the cursor. Throws `JsonError` and `TooManyFieldsError`. */
  read(count: FieldCounter): unknown {
    this.passSpace()
    const start = this.at
    this.pass(count)
    const parsed = parsePayloadText(this.bytes.toString('utf8', start, this.at))
    if (!parsed.ok) throw new JsonError('a value is not JSON')
    return parsed.value
  }

  skip(): void {
    this.passSpace()
    this.pass()
  }

  /** Throws `JsonError` unless the text ends here. */
  expectEnd(): void {
    this.passSpace()
    if (this.at < this.bytes.byteLength) throw new JsonError('there is more after the value')
  }

  private *walk(
    { open, close }: { open: number; close: number },
    count: FieldCounter,
  ): Generator<JsonCursor> {
    this.passSpace()
    if (this.bytes[this.at] !== open) {
      this.pass()
      return
    }
    this.at += 1
    this.passSpace()
    if (this.bytes[this.at] === close) {
      this.at += 1
      return
    }
    for (;;) {
      count.add()
      yield this
      this.passSpace()
      if (this.bytes[this.at] !== comma) break
      this.at += 1
    }
    this.expect(close)
  }

  private expect(byte: number): void {
    this.passSpace()
    if (this.bytes[this.at] !== byte) throw new JsonError(`${String.fromCharCode(byte)} is missing`)
    this.at += 1
  }

  private passSpace(): void {
    for (;;) {
      const byte = this.bytes[this.at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return
      this.at += 1
    }
  }

  /** Skips one value. Counts its fields: the values in its objects and lists, at all levels. */
  private pass(count?: FieldCounter): void {
    const { bytes } = this
    const start = this.at
    let depth = 0
    do {
      const byte = bytes[this.at]
      if (byte === undefined) {
        if (depth > 0 || this.at === start) throw new JsonError('the text ends early')
        return
      }
      const role = roleOf[byte]
      if (role === roles.quoted) this.passText()
      else if (depth === 0 && (role === roles.ending || role === roles.closing)) {
        if (this.at === start) throw new JsonError('a value is missing')
        return
      } else {
        this.at += 1
        if (role === roles.closing) depth -= 1
        else if (role === roles.opening) depth += 1
        if (role === roles.opening || byte === comma) count?.add()
      }
    } while (depth > 0 || roleOf[bytes[this.at - 1] ?? 0] === roles.part)
  }

  /** Skips a string with its quotes. */
  private passText(): void {
    const { bytes } = this
    this.at += 1
    for (;;) {
      const byte = bytes[this.at]
      if (byte === undefined) throw new JsonError('the text ends early')
      this.at += byte === backslash ? 2 : 1
      if (byte === quote) return
    }
  }
}
