import type { Json } from '#protocol/json.ts'

/** Characters of one string that a tree shows. */
export const jsonStringCharacters = 4_000
/** Characters of one string that stand open; a longer one unfolds. */
export const jsonLineCharacters = 300
/** Entries of one object or array that a tree shows. */
export const jsonEntries = 100
/** How deep a tree opens; below, a preview has to do. */
export const jsonDepth = 8

/** One line that says what is inside an object or array: `{ id, items, total, … 4 more }`, `[ 12 ]`. */
export function jsonPreview(value: Json[] | { [key: string]: Json }): string {
  if (Array.isArray(value)) return value.length === 0 ? '[ ]' : `[ ${value.length} ]`
  const keys = Object.keys(value)
  if (keys.length === 0) return '{ }'
  const shown = keys.slice(0, 4).map((key) => (key.length > 24 ? `${key.slice(0, 24)}…` : key))
  const rest = keys.length - shown.length
  return `{ ${shown.join(', ')}${rest > 0 ? `, … ${rest} more` : ''} }`
}

/** The first `limit` characters of a text, never half of a surrogate pair, and how many more there are. */
export function cutString(text: string, limit: number): { shown: string; hiddenCount: number } {
  if (text.length <= limit) return { shown: text, hiddenCount: 0 }
  const isInsidePair = text.codePointAt(limit - 1) !== text.charCodeAt(limit - 1)
  const end = isInsidePair ? limit - 1 : limit
  return { shown: text.slice(0, end), hiddenCount: text.length - end }
}
