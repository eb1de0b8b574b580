import { isQuoteCode } from '#server/scrub/names/assigned-name.ts'

/** The text between two quotes of a source line, without them. */
export interface StringLiteral {
  start: number
  /** The line's end for an unclosed literal: the line was cut, or the literal continues on the next. */
  end: number
  /** The line up to `end`, so that a search that begins within the literal remains in it. */
  lineToEnd: string
}

/** `don't`, `user's` */
const apostrophe = /(?<=[A-Za-z])'(?:s|t|re|ve|ll|d|m)(?![A-Za-z'])/y

/**
 * Finds the quoted parts of a source line, in any language. Scans only as far as required, so that calls with
 * ascending positions take time linear in the line's length.
 */
export class StringLiterals {
  private readonly line: string
  private literal: StringLiteral | undefined
  private readTo = 0

  constructor(line: string) {
    this.line = line
  }

  /** The literal around a position. Call with ascending positions only. */
  around(at: number): StringLiteral | undefined {
    while (this.readTo <= at) {
      const next = this.next()
      if (next === undefined) break
    }
    return this.literal !== undefined && this.literal.start <= at && at < this.literal.end
      ? this.literal
      : undefined
  }

  /** The literal after the last one; undefined if there is none. */
  next(): StringLiteral | undefined {
    this.literal = undefined
    const quoteAt = openingQuote(this.line, this.readTo)
    this.readTo = this.line.length
    if (quoteAt >= this.line.length) return undefined
    const end = closingQuote(this.line, quoteAt)
    this.readTo = end + 1
    this.literal = { start: quoteAt + 1, end, lineToEnd: this.line.slice(0, end) }
    return this.literal
  }
}

function openingQuote(line: string, from: number): number {
  let at = from
  while (at < line.length && !(isQuoteCode(line.charCodeAt(at)) && !isApostrophe(line, at))) at += 1
  return at
}

function isApostrophe(line: string, at: number): boolean {
  apostrophe.lastIndex = at
  return apostrophe.test(line)
}

function closingQuote(line: string, quoteAt: number): number {
  const quote = line.charCodeAt(quoteAt)
  let at = quoteAt + 1
  while (at < line.length && line.charCodeAt(at) !== quote) at += line.charCodeAt(at) === 0x5c ? 2 : 1
  return Math.min(at, line.length)
}
