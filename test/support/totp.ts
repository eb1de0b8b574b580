import { createHmac } from 'node:crypto'

/**
 * The six digits that an authenticator shows for a base32 secret at a time in Unix ms (RFC 6238: SHA-1, 30
 * seconds).
 */
export function totpCode(secret: string, at = Date.now()): string {
  const bits = secret
    .split('')
    .map((digit) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
  const hash = createHmac('sha1', key).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 15
  return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
