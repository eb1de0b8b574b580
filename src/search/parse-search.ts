import { allOf, anyOf, negated } from './expression.ts'
import { keptSearch } from './kept-search.ts'
import { describeMissingValue, readText, readWord } from './read-word.ts'
import { searchCharacters } from './term.ts'
import type { ParsedSearch, SearchExpression, SearchPart, SearchProblem, TextRange } from './term.ts'
import { tokenizeSearch, type PartToken, type SearchToken } from './tokens.ts'
import { invalid, type Read } from './values.ts'
import { findSearchWord } from './words.ts'

/** Maximum number of parts of a search: each can be a lookup per issue. */
const mostParts = 20

/**
 * Reads a search of the issue stream: `is:unresolved browser.name:Firefox (timesSeen:>100 OR "free text")`.
 *
 * Never throws: an invalid part becomes a problem with its position, the reason and a suggestion, and is
 * ignored. docs/search.md describes the language.
 */
export function parseSearch(text: string): ParsedSearch {
  const kept = keptSearch(text)
  const reader = createReader(tokenizeSearch(kept))
  const parts = reader.readParts()
  const { problems, tagKeys } = reader
  const rest = text.slice(kept.length).trim()
  if (rest !== '') {
    const start = text.indexOf(rest, kept.length)
    const message = `A search has at most ${searchCharacters} characters, and this one has ${text.length.toLocaleString('en')}.`
    problems.push({ start, end: start + rest.length, message })
  }
  const sorted = problems.toSorted((one, other) => one.start - other.start)
  return { parts, problems: sorted, tagKeys: [...new Set(tagKeys)] }
}

/** One side of an OR: the valid parts, and the span of all parts. Without a span the side is empty. */
interface Side {
  parts: SearchPart[]
  span?: TextRange
}

/** Parses tokens by recursive descent: OR has a lower precedence than AND, which is optional. */
function createReader(tokens: readonly SearchToken[]) {
  const problems: SearchProblem[] = []
  const tagKeys: string[] = []
  let at = 0
  let partCount = 0

  const note = ({ start, end }: TextRange, message: string) => void problems.push({ start, end, message })

  /** Reads up to the end, or to the parenthesis that closes a group. */
  function readParts(): SearchPart[] {
    const sides = [readSide()]
    for (let token = tokens[at]; token?.kind === 'operator'; token = tokens[at]) {
      at += 1
      const side = readSide()
      if (sides.at(-1)?.span === undefined || side.span === undefined) note(token, needsBoth(token.operator))
      sides.push(side)
    }
    const understood = sides.filter(({ parts }) => parts.length > 0)
    const [only, second] = understood
    if (only === undefined || second === undefined) return only?.parts ?? []
    const expression = anyOf(understood.map(({ parts }) => allOf(parts.map((part) => part.expression))))
    const spans = sides.flatMap(({ span }) => span ?? [])
    return [{ expression, start: spans[0]?.start ?? 0, end: spans.at(-1)?.end ?? 0 }]
  }

  /** Parts next to each other, with or without AND between them. */
  function readSide(): Side {
    const side: Side = { parts: [] }
    let and: Extract<SearchToken, { kind: 'operator' }> | undefined
    for (let token = tokens[at]; token !== undefined && token.kind !== 'close'; token = tokens[at]) {
      if (token.kind === 'operator') {
        if (token.operator === 'OR') break
        if (side.span === undefined || and !== undefined) note(token, needsBoth('AND'))
        else and = token
        at += 1
        continue
      }
      at += 1
      const part = token.kind === 'open' ? readGroup(token) : readPart(token)
      const end = tokens[at - 1]?.end ?? token.end
      side.span = { start: side.span?.start ?? token.start, end }
      and = undefined
      if (part !== undefined) side.parts.push({ expression: part, start: token.start, end })
    }
    if (and !== undefined) note(and, needsBoth('AND'))
    return side
  }

  function readGroup(open: Extract<SearchToken, { kind: 'open' }>): SearchExpression | undefined {
    const isEmpty = tokens[at]?.kind === 'close'
    const parts = readParts()
    const isClosed = tokens[at]?.kind === 'close'
    if (isClosed) at += 1
    else note(open, 'Missing ) after (. Close it, or quote it.')
    if (isEmpty)
      note({ start: open.start, end: tokens[at - 1]?.end ?? open.end }, 'These parentheses are empty.')
    if (parts.length === 0) return undefined
    const expression = allOf(parts.map((part) => part.expression))
    return open.isNegated ? negated(expression) : expression
  }

  function readPart(token: PartToken): SearchExpression | undefined {
    partCount += 1
    const found: Read<SearchExpression> =
      partCount <= mostParts ? readToken(token) : invalid(`A search has at most ${mostParts} terms.`)
    if (!found.ok) note(token, found.message)
    else if (isOfTag(token)) tagKeys.push(token.key ?? '')
    return found.ok ? (token.isNegated ? negated(found.value) : found.value) : undefined
  }

  return { problems, tagKeys, readParts }
}

/** True for `customer:acme`, and not for `tags[customer]:acme`, which names a tag explicitly. */
function isOfTag({ key, value }: PartToken): boolean {
  return key !== undefined && value !== '' && !key.endsWith(']') && findSearchWord(key) === undefined
}

const needsBoth = (operator: string) =>
  `${operator} needs a term on each side. To search for the word, put it in quotes.`

function readToken({ key, value }: PartToken): Read<SearchExpression> {
  if (key === undefined) return readText(value)
  // `TypeError: x is not a function`, pasted.
  if (value === '')
    return findSearchWord(key) === undefined ? readText(key) : invalid(describeMissingValue(key))
  return readWord(key, value)
}
