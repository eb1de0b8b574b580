/** A field of a protobuf message, as it is encoded. */
export interface ProtobufField {
  number: number
  /** Of the wire types 0, 1 and 5; 0 for bytes. */
  bits: bigint
  /** Of the wire type 2: bytes, a text or a message; empty for numbers. */
  bytes: Uint8Array
}

const noBytes = new Uint8Array(0)

/** Thrown for bytes that are no message. */
export class ProtobufError extends Error {}

/**
 * Reads the fields of a message, in the order of its bytes. Without a schema: the caller knows what its
 * fields are, and skips others. Throws `ProtobufError` when a field ends after the message.
 */
export function* readFields(message: Uint8Array): Generator<ProtobufField> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at]
      if (byte === undefined) break
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new ProtobufError('a number does not end')
  }
  /** Of keys and lengths: without BigInt, which takes ten times as long. */
  const small = (): number => {
    let value = 0
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      const byte = message[at]
      if (byte === undefined) break
      at += 1
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
    throw new ProtobufError('a number does not end')
  }
  const take = (count: number): number => {
    const start = at
    if (count > message.byteLength - at) throw new ProtobufError('a field ends after its message')
    at += count
    return start
  }
  while (at < message.byteLength) {
    const key = small()
    const field: ProtobufField = { number: Math.floor(key / 8), bits: 0n, bytes: noBytes }
    switch (key % 8) {
      case 0:
        field.bits = varint()
        break
      case 1:
        field.bits = view.getBigUint64(take(8), true)
        break
      case 2: {
        const length = small()
        const start = take(length)
        field.bytes = message.subarray(start, start + length)
        break
      }
      case 5:
        field.bits = BigInt(view.getUint32(take(4), true))
        break
      default:
        throw new ProtobufError('an unknown wire type')
    }
    yield field
  }
}
