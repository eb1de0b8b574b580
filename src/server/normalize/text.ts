/**
 * Makes an untrusted text safe to store and to display, and truncates it to `maxCharacters` UTF-16 units.
 *
 * NUL becomes U+FFFD (PostgreSQL rejects it in text), and so do lone surrogates (they cannot be written as
 * UTF-8). A truncated text ends with `…`, which counts. A valid text is returned without a copy.
 */
export function cleanText(text: string, maxCharacters: number): string {
  let clean = text.length > maxCharacters ? cutText(text, maxCharacters) : text
  if (clean.includes('\0')) clean = clean.replaceAll('\0', '\ufffd')
  return clean.isWellFormed() ? clean : clean.toWellFormed()
}

const lineEnd = /[\r\n]/

/** The first line that is not blank, trimmed and truncated to `maxCharacters`; empty if there is none. */
export function firstLine(text: string, maxCharacters: number): string {
  const trimmed = text.trim()
  const end = lineEnd.test(trimmed) ? trimmed.search(lineEnd) : -1
  return cutText(end === -1 ? trimmed : trimmed.slice(0, end).trimEnd(), maxCharacters)
}

/** Truncates a text to `maxCharacters` UTF-16 units including `…`, never inside a surrogate pair. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  if (maxCharacters <= 1) return maxCharacters === 1 ? '…' : ''
  const end = maxCharacters - 1
  const cutsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && /[\udc00-\udfff]/.test(text.charAt(end))
  return `${text.slice(0, cutsPair ? end - 1 : end)}…`
}
