/**
 * Parses the search of a URL like a form: every value is a string. The router's own parser treats `?q="a b"`
 * as JSON and loses the quotes. Of several values of one name the last is used.
 */
export function parseSearchParams(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** The inverse; absent values are omitted. */
export function formatSearchParams(search: Record<string, unknown>): string {
  let text = ''
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      text += `${text === '' ? '?' : '&'}${encodeField(name)}=${encodeField(String(value))}`
  }
  return text
}

/** What a form leaves as it is. */
const plainText = /^[\w*.-]*$/

/** Encodes like a form. A page has a hundred links: `URLSearchParams` takes four times as long. */
function encodeField(text: string): string {
  return plainText.test(text) ? text : new URLSearchParams([['', text]]).toString().slice(1)
}
