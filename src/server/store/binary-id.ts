const idPattern = /^[0-9a-f]{32}$/

/** True for 32 lower-case hex digits. */
export function isIdText(id: string): boolean {
  return idPattern.test(id)
}

/** The 16 bytes that 32 lower-case hex digits encode. Throws on any other text: callers pass parsed ids. */
export function toIdBytes(id: string): Uint8Array {
  if (!isIdText(id)) throw new TypeError('an id is 32 lower-case hex digits')
  return Buffer.from(id, 'hex')
}

/** The hex digits of an id read from the database. */
export function fromIdBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
