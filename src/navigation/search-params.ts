/**
 * The search of an address as a form sends it: every value is a text. The router's own reading takes
 * `?q="a b"` for JSON and loses typed quotes. Of several values of one name the last counts.
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
