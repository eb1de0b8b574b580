import type { LineReader } from './line-reader.ts'

/** A parsed `!key:pattern`. */
export interface ReadMatcher {
  isNegated: boolean
  key: string
  pattern: string
  /** The start of the key, from 0. */
  index: number
}

/** Parses one matcher. `ends` are characters that end an unquoted pattern, in addition to a space. */
export function readMatcher(reader: LineReader, ends = ''): ReadMatcher {
  const isNegated = reader.take('!')
  reader.skipBlanks()
  const { index } = reader
  const key = reader.key()
  if (!reader.text.startsWith(':', reader.index))
    reader.fail(`A colon and a pattern are expected after ${JSON.stringify(key)}.`)
  reader.index += 1
  const pattern = reader.word(ends)
  if (pattern === '') reader.fail(`A pattern is expected after ${key}:, such as ${key}:*name*.`)
  return { isNegated, key, pattern, index }
}
