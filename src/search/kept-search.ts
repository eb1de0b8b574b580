import { searchCharacters } from './term.ts'
import { tokenizeSearch } from './tokens.ts'

/**
 * Truncates a search to whole tokens of at most `searchCharacters` characters. A separate module, because the
 * word list is large.
 */
export function keptSearch(text: string): string {
  if (text.length <= searchCharacters) return text
  const cut = tokenizeSearch(text).find(({ end }) => end > searchCharacters)
  return text.slice(0, cut?.start).trimEnd()
}
