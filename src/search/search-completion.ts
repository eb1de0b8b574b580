import { searchKeys } from './search-keys.ts'
import { tokenizeSearch } from './search-tokens.ts'

/** What is being typed where the cursor stands. */
export interface Completion {
  /** What a chosen suggestion takes the place of. */
  start: number
  end: number
  /** The key whose value is typed; absent while a key is. */
  key?: string
  /** What of it stands before the cursor. */
  typed: string
}

/** What could be completed at a place of a search; undefined between quotes and in lists. */
export function findCompletion(text: string, caret: number): Completion | undefined {
  const token = tokenizeSearch(text).find(({ start, end }) => start <= caret && caret <= end)
  if (token === undefined) return { start: caret, end: caret, typed: '' }
  const { key, valueStart, end } = token
  if (key === undefined || caret < valueStart) {
    const start = token.isNegated ? token.start + 1 : token.start
    const typed = text.slice(start, Math.max(start, caret))
    return typed.startsWith('"') ? undefined : { start, end: key === undefined ? end : valueStart, typed }
  }
  const typed = text.slice(valueStart, caret)
  return /["[,]/.test(typed) ? undefined : { start: valueStart, end, key, typed }
}

/** Something that can be put in the place of a completion. */
export interface Suggestion {
  text: string
  hint?: string
  /** More is to be typed behind it: a value. */
  goesOn?: true
}

const mostSuggestions = 12

/** The keys that begin like what is typed, then those that have it inside. */
export function suggestKeys(typed: string): Suggestion[] {
  const begin = typed.toLowerCase()
  const matching = searchKeys.filter(({ key }) => key.toLowerCase().includes(begin))
  const sorted = matching.toSorted(
    (one, other) =>
      Number(other.key.toLowerCase().startsWith(begin)) - Number(one.key.toLowerCase().startsWith(begin)),
  )
  return sorted.slice(0, mostSuggestions).map(({ key, hint }) => ({ text: `${key}:`, hint, goesOn: true }))
}

/** The values of a named key that are always the same; undefined for one whose values have to be looked up. */
export function suggestFixedValues(key: string, typed: string): Suggestion[] | undefined {
  const values = searchKeys.find((each) => each.key.toLowerCase() === key.toLowerCase())?.values
  return values
    ?.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()))
    .map((value) => ({ text: value }))
}

/** A value as it has to stand in a search: between quotes where it has blanks or signs of the language. */
export function quoteValue(value: string): string {
  return /[\s",*[\]\\]/.test(value) || value === '' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : value
}
