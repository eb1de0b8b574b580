/**
 * A value with wildcards: its pieces, with any text between two of them. A single piece is a value without
 * wildcards.
 */
export interface ValuePattern {
  pieces: readonly string[]
}

/** The pattern of one value. */
export function exactly(text: string): ValuePattern {
  return { pieces: [text] }
}

/** The pattern of every value. */
export const anyValue: ValuePattern = { pieces: ['', ''] }

/** A compiled pattern. Cheap comparisons have separate kinds. */
export type PatternForm =
  | { kind: 'any' }
  | { kind: 'exact'; text: string }
  | { kind: 'prefix'; text: string }
  | { kind: 'wild'; pieces: readonly string[] }

/** The form of a pattern. */
export function formOf({ pieces }: ValuePattern): PatternForm {
  const [first = '', ...rest] = pieces
  if (rest.length === 0) return { kind: 'exact', text: first }
  if (rest.some((piece) => piece !== '')) return { kind: 'wild', pieces }
  return first === '' ? { kind: 'any' } : { kind: 'prefix', text: first }
}

/** True if the value matches the pattern. Case-sensitive. */
export function matchesPattern(value: string, pattern: ValuePattern): boolean {
  const [first = '', ...rest] = pattern.pieces
  const last = rest.pop()
  if (last === undefined) return value === first
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last))
    return false
  let at = first.length
  for (const piece of rest) {
    const found = value.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= value.length - last.length
}
