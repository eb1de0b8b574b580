/** The problem of a line. */
export interface LineProblem {
  /** From 1. */
  line: number
  message: string
}

/** A line that names owners. */
export interface OwnerLine {
  /** From 1. */
  line: number
  text: string
  /** As they were written: `ada@example.com`, `@ada`, `#checkout`. */
  owners: string[]
}

/** Lines of both syntaxes, with their numbers; without empty ones and comments. */
export function listLines(text: string): { line: number; text: string }[] {
  return text
    .split(/\r\n?|\n/)
    .map((each, index) => ({ line: index + 1, text: each.trim() }))
    .filter((each) => each.text !== '' && !each.text.startsWith('#'))
}

/** Splits at blanks; a backslash keeps the character that follows it. */
export function splitWords(text: string): string[] {
  const words = text.match(/(?:\\.|[^\s\\]|\\$)+/g) ?? []
  return words.map((word) => word.replaceAll(/\\(.)/g, '$1'))
}

/** True for `ada@example.com`, `@ada` and `@acme/checkout`. */
export function isOwnerName(word: string): boolean {
  return /^@[^\s@]+$|^[^\s@#]+@[^\s@]+$/.test(word)
}
