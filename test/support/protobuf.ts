/** A field of a message: a number as varint, a bigint as 64 bits, a text or a message by its length. */
export function protobufField(number: number, value: number | bigint | string | Uint8Array): Buffer {
  if (typeof value === 'number') return Buffer.from([...varint(number * 8), ...varint(value)])
  if (typeof value === 'bigint') {
    const bits = Buffer.alloc(8)
    bits.writeBigUInt64LE(value)
    return Buffer.concat([Buffer.from(varint(number * 8 + 1)), bits])
  }
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [128 + (value % 128), ...varint(Math.floor(value / 128))]
}
