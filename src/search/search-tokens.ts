import type { Span } from './search-term.ts'

/** A token as it stands in the text: `!release:"web 1.4"`. */
export interface SearchToken extends Span {
  /** It begins with `!`, which is not part of what follows. */
  isNegated: boolean
  /** What stands before the first colon outside quotes; absent for text. */
  key?: string
  /** What stands behind it, or all of the text, quotes and brackets included. */
  value: string
  /** Where the value begins in the text. */
  valueStart: number
}

const keyPattern = /^(?:[\p{L}_][\p{L}\p{N}_.-]*|tags\[[^\]\s]{1,200}\])$/u

/** Cuts a search into its tokens: at blanks that stand neither between quotes nor in the brackets of a list. */
export function tokenizeSearch(text: string): SearchToken[] {
  const tokens: SearchToken[] = []
  let at = 0
  while (at < text.length) {
    if (isBlank(text.charAt(at))) {
      at += 1
      continue
    }
    const end = findTokenEnd(text, at)
    tokens.push(toToken(text, { start: at, end }))
    at = end
  }
  return tokens
}

function isBlank(character: string): boolean {
  return /\s/.test(character)
}

function findTokenEnd(text: string, start: number): number {
  let isQuoted = false
  let isListed = false
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '[' && text.charAt(at - 1) === ':') isListed = true
    else if (character === ']') isListed = false
    else if (isBlank(character) && !isListed) return at
  }
  // What is never closed ends with its first word, so that the rest is understood.
  if (!isQuoted && !isListed) return text.length
  const blank = text.slice(start).search(/\s/)
  return blank === -1 ? text.length : start + blank
}

function toToken(text: string, { start, end }: Span): SearchToken {
  const isNegated = text.charAt(start) === '!' && end - start > 1
  const valueStart = isNegated ? start + 1 : start
  const whole = text.slice(valueStart, end)
  const colon = whole.startsWith('"') ? -1 : whole.indexOf(':')
  const key = whole.slice(0, Math.max(0, colon))
  const isText = colon === -1 || !keyPattern.test(key) || whole.startsWith('//', colon + 1)
  if (isText) return { start, end, isNegated, value: whole, valueStart }
  return { start, end, isNegated, key, value: whole.slice(colon + 1), valueStart: valueStart + colon + 1 }
}
