/**
 * A statement in PostgreSQL's SQL. Outside of texts, names and comments, `?` becomes `$1`, `$2`, …, `?1`
 * becomes `$1`, and `x'00'` a text that is read as bytes.
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
