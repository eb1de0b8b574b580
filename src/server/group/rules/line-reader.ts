import { RuleSyntaxError } from './rule-problem.ts'

const blank = /[ \t]/
const keyCharacter = /[A-Za-z0-9_.-]/

/** Parses one line of rules from left to right. Throws a `RuleSyntaxError` with a position. */
export class LineReader {
  readonly text: string
  index = 0

  constructor(text: string) {
    this.text = text
  }

  /** True if only spaces are left. */
  isAtEnd(): boolean {
    this.skipBlanks()
    return this.index >= this.text.length
  }

  skipBlanks(): void {
    while (blank.test(this.text.charAt(this.index))) this.index += 1
  }

  /** Consumes a text at the position, after spaces. */
  take(expected: string): boolean {
    this.skipBlanks()
    if (!this.text.startsWith(expected, this.index)) return false
    this.index += expected.length
    return true
  }

  /** True if a text is at the position, after spaces. */
  isAt(expected: string): boolean {
    this.skipBlanks()
    return this.text.startsWith(expected, this.index)
  }

  /** A key before its colon: letters, digits, `_`, `.` and `-`, or in quotes. */
  key(): string {
    if (this.isAt('"')) return this.quoted()
    const start = this.index
    while (keyCharacter.test(this.text.charAt(this.index))) this.index += 1
    if (this.index === start) this.fail('A matcher such as type:TypeError is expected here.')
    return this.text.slice(start, this.index)
  }

  /** Everything up to a space or one of `ends`, or a quoted text. */
  word(ends = ''): string {
    if (this.text.charAt(this.index) === '"') return this.quoted()
    const start = this.index
    while (this.index < this.text.length) {
      const character = this.text.charAt(this.index)
      if (blank.test(character) || ends.includes(character)) break
      this.index += 1
    }
    return this.text.slice(start, this.index)
  }

  /** A text in double quotes, in which `\"` is a quote and any other backslash is literal. */
  quoted(): string {
    const start = this.index
    let text = ''
    for (this.index += 1; this.index < this.text.length; this.index += 1) {
      const character = this.text.charAt(this.index)
      if (character === '"') {
        this.index += 1
        return text
      }
      if (character === '\\' && this.text.charAt(this.index + 1) === '"') {
        text += '"'
        this.index += 1
      } else {
        text += character
      }
    }
    return this.fail('The text that begins here has no closing quote.', start)
  }

  fail(message: string, index = this.index): never {
    throw new RuleSyntaxError(message, index)
  }
}
