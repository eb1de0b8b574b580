import type { FieldCounter } from './field-count.ts'

/** Thrown for an invalid message. */
export class ProtobufError extends Error {}

/** The range of a message in the bytes of its request. */
export interface MessageRange {
  start: number
  end: number
}

/**
 * Iterates over the fields of a message, in the order of its bytes. It uses no schema: the caller knows the
 * fields, and skips others. It copies nothing and creates no objects for fields: a request has hundreds of
 * thousands.
 */
export class ProtobufFields {
  /** The number of the current field. */
  number = 0
  /** The value of the wire types 0, 1 and 5, as two halves of 32 bits; 0 for bytes. */
  low = 0
  high = 0
  /** The range of the wire types 1 and 2: bytes, a string or a message; empty for others. */
  start = 0
  end = 0
  readonly bytes: Buffer
  private readonly count: FieldCounter
  private readonly messageEnd: number
  private at: number

  constructor(bytes: Buffer, { start, end }: MessageRange, count: FieldCounter) {
    this.bytes = bytes
    this.count = count
    this.at = start
    this.messageEnd = end
  }

  /**
   * Reads the next field; false after the last one. Throws `ProtobufError` if a field exceeds its message,
   * and `TooManyFieldsError`.
   */
  next(): boolean {
    if (this.at >= this.messageEnd) return false
    this.count.add()
    this.readVarint()
    const wireType = this.low % 8
    // Valid field numbers have no bits above 32.
    this.number = this.low >>> 3
    this.low = 0
    this.high = 0
    this.start = this.at
    this.end = this.at
    if (wireType === 0) this.readVarint()
    else if (wireType === 1) this.readFixed64()
    else if (wireType === 2) this.readLength()
    else if (wireType === 5) this.low = this.bytes.readUInt32LE(this.take(4))
    else throw new ProtobufError('an unknown wire type')
    return true
  }

  /** The text of a field. Invalid UTF-8 becomes U+FFFD. */
  text(): string {
    return this.bytes.toString('utf8', this.start, this.end)
  }

  hex(): string {
    return this.bytes.toString('hex', this.start, this.end)
  }

  base64(): string {
    return this.bytes.toString('base64', this.start, this.end)
  }

  /** An unsigned 64-bit integer, rounded above 2 to the power of 53. */
  toNumber(): number {
    return this.high * 2 ** 32 + this.low
  }

  /** A signed 64-bit integer in decimal digits. */
  toSignedText(): string {
    return String(BigInt.asIntN(64, (BigInt(this.high) << 32n) | BigInt(this.low)))
  }

  /** A double; 0 for other wire types. */
  toDouble(): number {
    return this.end - this.start === 8 ? this.bytes.readDoubleLE(this.start) : 0
  }

  /** Without BigInt, which takes ten times as long. */
  private readVarint(): void {
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.at < this.messageEnd ? this.bytes[this.at] : undefined
      if (byte === undefined) break
      this.at += 1
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high = bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) {
        this.low = low >>> 0
        this.high = high >>> 0
        return
      }
    }
    throw new ProtobufError('a number does not end')
  }

  private readFixed64(): void {
    const at = this.take(8)
    this.low = this.bytes.readUInt32LE(at)
    this.high = this.bytes.readUInt32LE(at + 4)
    this.end = this.at
  }

  private readLength(): void {
    this.readVarint()
    const length = this.toNumber()
    this.low = 0
    this.high = 0
    this.start = this.take(length)
    this.end = this.at
  }

  private take(count: number): number {
    const start = this.at
    if (count > this.messageEnd - start) throw new ProtobufError('a field ends after its message')
    this.at += count
    return start
  }
}
