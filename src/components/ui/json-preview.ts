import type { Json } from '#protocol/json.ts'

/** Characters of one string that a tree shows. */
export const jsonStringCharacters = 4_000
/** Characters of one string that are shown; a longer one can be expanded. */
export const jsonLineCharacters = 300
/** Entries of one object or array that a tree shows. */
export const jsonEntries = 100
/** How deep a tree opens; below, a preview has to do. */
export const jsonDepth = 8

/** Characters of a preview, about one line. */
const previewCharacters = 90

/**
 * One line with the content of an object or array, and the number of omitted values: `{ sku: "A-1", meta:
 * {…}, … 4 more }`, `[ 1, [3], … 128 more ]`.
 */
export function jsonPreview(value: Json[] | { [key: string]: Json }, hasQuotes = true): string {
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const entries = Object.entries(value)
  if (entries.length === 0) return `${open} ${close}`
  const parts: string[] = []
  let length = 0
  for (const [key, entry] of entries) {
    const text = previewEntry(entry, hasQuotes)
    const part = Array.isArray(value) ? text : `${shorten(key)}: ${text}`
    length += part.length + 2
    if (parts.length > 0 && length > previewCharacters) break
    parts.push(part)
  }
  const hiddenCount = entries.length - parts.length
  if (hiddenCount > 0) parts.push(`… ${hiddenCount} more`)
  return `${open} ${parts.join(', ')} ${close}`
}

function previewEntry(value: Json, hasQuotes: boolean): string {
  if (typeof value === 'string') return hasQuotes ? `"${shorten(value)}"` : shorten(value)
  if (Array.isArray(value)) return `[${value.length}]`
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? '{}' : '{…}'
  return String(value)
}

function shorten(text: string): string {
  const { shown, hiddenCount } = cutString(text, 32)
  return hiddenCount > 0 ? `${shown}…` : shown
}

/** The first `limit` characters of a text, never half of a surrogate pair, and how many more there are. */
export function cutString(text: string, limit: number): { shown: string; hiddenCount: number } {
  if (text.length <= limit) return { shown: text, hiddenCount: 0 }
  const isInsidePair = text.codePointAt(limit - 1) !== text.charCodeAt(limit - 1)
  const end = isInsidePair ? limit - 1 : limit
  return { shown: text.slice(0, end), hiddenCount: text.length - end }
}
