import type { SqlInput } from '#server/store/engine/connection.ts'

/**
 * Converts a statement to PostgreSQL's SQL. Outside of literals, names and comments, `?` becomes `$1`, `$2`,
 * …, `?1` becomes `$1`, and `x'00'` a literal of bytes.
 */
export function toPostgresSql(sql: string): string {
  let count = 0
  return sql.replaceAll(/\bx'([\da-f]*)'|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?(\d*)/g, (match, hex, number) => {
    if (typeof hex === 'string') return `'\\x${hex}'::bytea`
    if (typeof number !== 'string') return match
    count += 1
    return `$${number === '' ? count : number}`
  })
}

/**
 * A value as it is sent: bytes as arrays of their own, which are cloned without the buffer around them. A
 * text in PostgreSQL cannot contain U+0000 or a lone surrogate; both become U+FFFD.
 */
export function toSent(value: SqlInput): SqlInput {
  if (typeof value === 'string') {
    const text = value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value
    return text.isWellFormed() ? text : text.toWellFormed()
  }
  if (ArrayBuffer.isView(value) && value.byteLength !== value.buffer.byteLength) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice()
  }
  return value
}
