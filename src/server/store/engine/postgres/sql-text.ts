/**
 * A statement with PostgreSQL's parameters: `?` outside of texts, names and comments becomes `$1`, `$2`, …
 */
export function numberParameters(sql: string): string {
  let count = 0
  return sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\?/g, (match) => {
    if (match !== '?') return match
    count += 1
    return `$${count}`
  })
}
