/**
 * Parses the search of a URL like a form: every value is a string. The router's own parser treats `?q="a b"`
 * as JSON and loses the quotes. Of several values of one name the last is used.
 */
export function parseSearchParams(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** The inverse; absent values are omitted. */
export function formatSearchParams(search: Record<string, unknown>): string {
  const fields = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)]]
      : [],
  )
  const text = new URLSearchParams(fields).toString()
  return text === '' ? '' : `?${text}`
}
