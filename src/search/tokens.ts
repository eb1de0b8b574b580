import type { TextRange } from './term.ts'

/** A part of a search in the text: `!release:"web 1.4"`. */
export interface PartToken extends TextRange {
  kind: 'part'
  /** Begins with `!`, which is not part of the other fields. */
  isNegated: boolean
  /** The text before the colon; absent for plain text. */
  key?: string
  /** The text after the colon, or the complete text, including quotes and brackets. */
  value: string
  /** Start of the value in the text. */
  valueStart: number
}

/** A piece of a search: a part or an operator. */
export type SearchToken =
  | PartToken
  | ({ kind: 'open'; isNegated: boolean } & TextRange)
  | ({ kind: 'close' } & TextRange)
  | ({ kind: 'operator'; operator: 'AND' | 'OR' } & TextRange)

const keyStart = /^(?:[\p{L}_][\p{L}\p{N}_.-]*|(?:tags|flags)\[[^\]\s]{1,200}\])(?=:)/u

/**
 * Splits a search into tokens: at spaces outside quotes and lists, and at parentheses that group parts. A
 * parenthesis within a word, as in `render(app.js)`, belongs to the word.
 */
export function tokenizeSearch(text: string): SearchToken[] {
  const tokens: SearchToken[] = []
  let at = 0
  let depth = 0
  while (at < text.length) {
    if (isBlank(text.charAt(at))) {
      at += 1
      continue
    }
    const token = readToken(text, at, depth > 0)
    if (token.kind === 'open') depth += 1
    if (token.kind === 'close') depth -= 1
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function isBlank(character: string): boolean {
  return /\s/.test(character)
}

function readToken(text: string, start: number, isGrouped: boolean): SearchToken {
  const isNegated = text.startsWith('!(', start)
  if (isNegated || text.charAt(start) === '(')
    return { kind: 'open', isNegated, start, end: start + (isNegated ? 2 : 1) }
  if (isGrouped && text.charAt(start) === ')') return { kind: 'close', start, end: start + 1 }
  const span = { start, end: findTokenEnd(text, start, isGrouped) }
  const word = text.slice(span.start, span.end)
  return word === 'AND' || word === 'OR' ? { kind: 'operator', operator: word, ...span } : toPart(text, span)
}

function findTokenEnd(text: string, start: number, isGrouped: boolean): number {
  let isQuoted = false
  let isListed = false
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '[' && text.charAt(at - 1) === ':') isListed = true
    else if (character === ']') isListed = false
    else if (isListed) continue
    else if (isBlank(character)) return at
    else if (character === '(') depth += 1
    else if (character === ')' && isGrouped && depth === 0) return at
    else if (character === ')') depth -= 1
  }
  // An unclosed token ends after its first word, so that the rest can be parsed.
  if (!isQuoted && !isListed) return text.length
  const rest = text.slice(start).search(isGrouped ? /[\s)]/ : /\s/)
  return rest === -1 ? text.length : start + rest
}

function toPart(text: string, { start, end }: TextRange): PartToken {
  const isNegated = text.charAt(start) === '!' && end - start > 1
  const valueStart = isNegated ? start + 1 : start
  const whole = text.slice(valueStart, end)
  const part = { kind: 'part', start, end, isNegated } as const
  const key = keyStart.exec(whole)?.[0]
  if (key === undefined || whole.startsWith('//', key.length + 1))
    return { ...part, value: whole, valueStart }
  return { ...part, key, value: whole.slice(key.length + 1), valueStart: valueStart + key.length + 1 }
}
