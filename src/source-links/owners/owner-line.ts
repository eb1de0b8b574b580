/** The problem of a line. */
export interface LineProblem {
  /** Line number, from 1. */
  line: number
  message: string
}

/** A line that names owners. */
export interface OwnerLine {
  /** Line number, from 1. */
  line: number
  text: string
  /** As written: `ada@example.com`, `@ada`, `#checkout`. */
  owners: string[]
}

/** The lines of a text in either syntax, with their numbers; without empty lines and comments. */
export function listLines(text: string): { line: number; text: string }[] {
  return text
    .split(/\r\n?|\n/)
    .map((each, index) => ({ line: index + 1, text: each.trim() }))
    .filter((each) => each.text !== '' && !each.text.startsWith('#'))
}

/** Splits at spaces; a backslash escapes the following character. */
export function splitWords(text: string): string[] {
  const words = text.match(/(?:\\.|[^\s\\]|\\$)+/g) ?? []
  return words.map((word) => word.replaceAll(/\\(.)/g, '$1'))
}

/** True for `ada@example.com`, `@ada` and `@acme/checkout`. */
export function isOwnerName(word: string): boolean {
  return /^@[^\s@]+$|^[^\s@#]+@[^\s@]+$/.test(word)
}
