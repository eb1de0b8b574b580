import type { SqlInput } from '#server/store/engine/connection.ts'

/**
 * Values as the text of a PostgreSQL array (postgresql.org/docs/current/arrays.html#ARRAYS-IO): one parameter
 * for a column of a set of rows.
 */
export function toArrayText(values: readonly SqlInput[]): string {
  let text = '{'
  for (let at = 0; at < values.length; at += 1) {
    if (at > 0) text += ','
    text += toElement(values[at] ?? null)
  }
  return `${text}}`
}

function toElement(value: SqlInput): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'string')
    return `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
  return `"\\\\x${bufferOf(value).toString('hex')}"`
}

/** The same bytes as a `Buffer`. */
export function bufferOf(bytes: NodeJS.ArrayBufferView): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
