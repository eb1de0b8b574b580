import { eventWords } from './event-words.ts'
import { issueSearchWords } from './issue-words.ts'
import type { SearchWord } from './word.ts'

/** Every word, in the order of docs/search.md. Any other word is the key of a tag. */
export const searchWords: readonly SearchWord[] = [...issueSearchWords, ...eventWords]

const byName = new Map(
  searchWords.flatMap((word) =>
    [word.word, ...(word.aliases ?? [])].map((name) => [name.toLowerCase(), word] as const),
  ),
)

/** Finds a word by its name or alias, case-insensitive; undefined for the key of a tag. */
export function findSearchWord(name: string): SearchWord | undefined {
  return byName.get(name.toLowerCase())
}
