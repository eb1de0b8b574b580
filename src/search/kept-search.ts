import { searchCharacters } from './search-term.ts'
import { tokenizeSearch } from './search-tokens.ts'

/** As much of a search as counts: whole tokens, no more than `searchCharacters` characters. Apart from the words, which are large. */
export function keptSearch(text: string): string {
  if (text.length <= searchCharacters) return text
  const cut = tokenizeSearch(text).find(({ end }) => end > searchCharacters)
  return text.slice(0, cut?.start).trimEnd()
}
