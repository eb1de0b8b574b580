import { quoteValue } from './quote-value.ts'
import { findUnsupportedReason } from './sentry-words.ts'
import { toExplicitKey, toTagKey } from './tag-key.ts'
import { tokenizeSearch } from './tokens.ts'
import { findSearchWord, searchWords } from './words.ts'

/** The completion target at the cursor. */
export interface Completion {
  /** The range that a selected suggestion replaces. */
  start: number
  end: number
  /** The key whose value is typed; absent while a key is typed. */
  key?: string
  /** The text of the key or value before the cursor. */
  typed: string
}

/** Returns the completion target at a position; undefined between quotes, in lists and in operators. */
export function findCompletion(text: string, caret: number): Completion | undefined {
  const tokens = tokenizeSearch(text).filter(({ kind }) => kind !== 'open' && kind !== 'close')
  const token = tokens.find(({ start, end }) => start <= caret && caret <= end)
  if (token === undefined) return { start: caret, end: caret, typed: '' }
  if (token.kind !== 'part') return undefined
  const { key, valueStart, end } = token
  if (key === undefined || caret < valueStart) {
    const start = token.isNegated ? token.start + 1 : token.start
    const typed = text.slice(start, Math.max(start, caret))
    return typed.startsWith('"') ? undefined : { start, end: key === undefined ? end : valueStart, typed }
  }
  const typed = text.slice(valueStart, caret)
  return /["[,]/.test(typed) ? undefined : { start: valueStart, end, key, typed }
}

/** A suggestion for a completion target. */
export interface Suggestion {
  text: string
  hint?: string
  /** The user has to type a value after it. */
  goesOn?: true
}

const mostSuggestions = 12

/**
 * Returns words with the typed prefix, then tags with it, then words that contain it; an alias counts as its
 * word. `tagKeys` are the tags of the projects.
 */
export function suggestKeys(typed: string, tagKeys: readonly string[] = []): Suggestion[] {
  const begin = typed.toLowerCase()
  const words = searchWords.flatMap(({ word, aliases = [], description }) => {
    const rank = rankOf([word, ...aliases], begin)
    return rank === undefined ? [] : [{ rank, text: `${word}:`, hint: description }]
  })
  const tags = tagKeys
    .filter((key) => findSearchWord(key) === undefined)
    .flatMap((key) => (findUnsupportedReason(key) === undefined ? toTagKey(key) : toExplicitKey(key)) ?? [])
    .map((key) => ({ rank: 0.5, text: `${key}:`, hint: 'has tag' }))
  return [...words, ...tags]
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, mostSuggestions)
    .map(({ text, hint }) => ({ text, hint, goesOn: true }))
}

/** Smaller is better; undefined if no name contains the text. */
function rankOf(names: readonly string[], begin: string): number | undefined {
  const indexes = names.map((name) => name.toLowerCase().indexOf(begin)).filter((index) => index !== -1)
  if (indexes.length === 0) return undefined
  return indexes.includes(0) ? 0 : 1
}

/** The values of a word that need no lookup, `people` by name; undefined if they have to be looked up. */
export function suggestFixedValues(
  key: string,
  typed: string,
  people: readonly string[] = [],
): Suggestion[] | undefined {
  const word = findSearchWord(key)
  if (word === undefined || word.kind === 'pattern') return undefined
  const values = [...(word.values ?? []), ...(word.kind === 'person' ? people : [])]
  if (values.length === 0 && word.kind === 'word') return undefined
  return values
    .filter((value) => hasWordBeginning(value.toLowerCase(), typed.toLowerCase()))
    .map((value) => ({ text: quoteValue(value) }))
}

/** Matches the beginning of any word, so that users are also found by their last name. */
function hasWordBeginning(value: string, begin: string): boolean {
  return value.startsWith(begin) || value.includes(` ${begin}`)
}
