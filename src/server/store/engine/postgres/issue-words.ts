/**
 * The words of a text as SQLite's tokenizer `unicode61` splits them: letters and digits, in lower case and
 * without diacritics.
 */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
  return plain.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
}

/** Weights of a `tsvector`, one per column of `issue_texts`. */
const weights = ['A', 'B', 'C', 'D'] as const

/** A gap between the words of two columns, so that no phrase spans both. */
const columnGap = 2

/** PostgreSQL's limits of a `tsvector`: its last position, and the bytes of a word. */
const [lastPosition, wordBytes] = [16_383, 2_046]

/** The words of an issue's texts (title, value, culprit, message) as a `tsvector`. */
export function toTextVector(columns: readonly string[]): string {
  const words: string[] = []
  let position = 0
  for (const [index, text] of columns.entries()) {
    for (const word of wordsOf(text)) {
      position += 1
      if (position > lastPosition) return words.join(' ')
      if (Buffer.byteLength(word) <= wordBytes) words.push(`'${word}':${position}${weights[index] ?? 'D'}`)
    }
    position += columnGap
  }
  return words.join(' ')
}

/** The searched words and columns. */
export interface WordQuery {
  text: string
  /** Indexes of the columns. */
  columns: readonly number[]
  /** True if the last word is a prefix. */
  isPrefix: boolean
}

/** Adjacent words as a `tsquery`; undefined for a text without words. */
export function toTextQuery({ text, columns, isPrefix }: WordQuery): string | undefined {
  const words = wordsOf(text)
  if (words.length === 0) return undefined
  const inColumns = columns.map((index) => weights[index] ?? 'D').join('')
  return words
    .map((word, index) => `'${word}':${isPrefix && index === words.length - 1 ? '*' : ''}${inColumns}`)
    .join(' <-> ')
}
