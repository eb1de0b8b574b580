/**
 * An SQL text without its values, so that all texts of one statement are equal: literals and parameters
 * become `%s`, lists of them one, digits in names `{%s}`; comments, casts and quotes of names are left out.
 * Reads each character once, whatever the text is: hostile texts cost as much as others.
 */
export function scrubSql(text: string): string {
  const parts: string[] = []
  let at = 0
  while (at < text.length) {
    const { end, part } = readPart(text, at)
    at = end
    if (part !== '') pushPart(parts, part)
  }
  return joinParts(parts)
}

/** A part of a statement and where it ends. The empty text is nothing: space, a comment. */
interface SqlPart {
  part: string
  end: number
}

const value = '%s'

function readPart(text: string, at: number): SqlPart {
  const char = text.charAt(at)
  const pair = text.slice(at, at + 2)
  if (char <= ' ') return { part: '', end: at + 1 }
  if (pair === '--') return { part: '', end: endBefore(text, '\n', at) }
  if (pair === '::') return { part: '', end: endOfRun(text, at + 2, isName) }
  if (pair === '/*') return { part: '', end: endAfter(text, '*/', at + 2) }
  if (char === "'") return { part: value, end: endOfQuoted(text, at, "'") }
  if (char === '"' || char === '`') return readQuotedName(text, at, char)
  if (char === '%' && text.charAt(at + 1) === 's') return { part: value, end: at + 2 }
  if (char === '?') return { part: value, end: at + 1 }
  if (isDigit(char)) return { part: value, end: endOfRun(text, at, isNumberPart) }
  if ((char === '$' || char === ':' || char === '@') && isName(text.charAt(at + 1)))
    return { part: value, end: endOfRun(text, at + 1, isName) }
  if (isName(char)) return readName(text, at)
  return { part: char, end: at + 1 }
}

function readQuotedName(text: string, at: number, quote: string): SqlPart {
  const end = endOfQuoted(text, at, quote)
  return { part: maskDigits(text.slice(at + 1, Math.max(at + 1, end - 1))), end }
}

const literals = new Set(['true', 'false', 'null'])

function readName(text: string, at: number): SqlPart {
  const end = endOfRun(text, at, isName)
  const name = text.slice(at, end)
  // Prefixes of literals: N'text', E'text', X'00'.
  if (name.length === 1 && text.charAt(end) === "'") return { part: value, end: endOfQuoted(text, end, "'") }
  return { part: literals.has(name.toLowerCase()) ? value : maskDigits(name), end }
}

/** Adds a part, unless it only makes a list of values longer. */
function pushPart(parts: string[], part: string): void {
  parts.push(part)
  const [third, second, last] = [parts.at(-3), parts.at(-2), part]
  if (last === value && second === ',' && third === value) parts.length -= 2
  else if (last === value && second === '-' && isOperatorBefore(third)) parts.splice(-2, 1)
  // (%s), (%s)
  else if (last === ')' && parts.slice(-7).join('') === `(${value}),(${value})`) parts.length -= 4
}

/** A minus sign after it belongs to a number. */
function isOperatorBefore(part: string | undefined): boolean {
  return part !== undefined && /^[=<>(,+*/-]$/.test(part)
}

/** No space inside of brackets, before commas, around dots and between the characters of an operator. */
function joinParts(parts: readonly string[]): string {
  let text = ''
  let last = ''
  for (const part of parts) {
    const isTight =
      last === '' ||
      last === '(' ||
      last === '.' ||
      part === ',' ||
      part === ')' ||
      part === '.' ||
      part === ';'
    const isOperator = /^[<>=!|:]$/.test(part) && /^[<>=!|:]$/.test(last)
    const isCall = part === '(' && /^\w+$/.test(last) && !keywordsBeforeBracket.has(last.toLowerCase())
    if (!isTight && !isOperator && !isCall) text += ' '
    text += part
    last = part
  }
  return text.endsWith(';') ? text.slice(0, -1) : text
}

const keywordsBeforeBracket = new Set([
  'in',
  'values',
  'and',
  'or',
  'not',
  'on',
  'as',
  'from',
  'join',
  'where',
  'select',
  'exists',
  'then',
  'else',
  'using',
  'any',
  'all',
  'by',
  'into',
])

function maskDigits(name: string): string {
  return name.replaceAll(/\d+/g, (digits) => (digits.length > 1 ? '{%s}' : digits))
}

function endOfQuoted(text: string, at: number, quote: string): number {
  let end = at + 1
  for (;;) {
    const found = text.indexOf(quote, end)
    if (found === -1) return text.length
    // A doubled quote is one in the text; MySQL's backslash escapes one.
    if (text.charAt(found + 1) === quote) end = found + 2
    else if (quote === "'" && isEscaped(text, found, at)) end = found + 1
    else return found + 1
  }
}

function isEscaped(text: string, quoteAt: number, from: number): boolean {
  return quoteAt - 1 > from && text.charAt(quoteAt - 1) === '\\' && text.charAt(quoteAt - 2) !== '\\'
}

function endBefore(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found === -1 ? text.length : found
}

function endAfter(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found === -1 ? text.length : found + end.length
}

function endOfRun(text: string, at: number, belongs: (char: string) => boolean): number {
  let end = at
  while (end < text.length && belongs(text.charAt(end))) end += 1
  return end
}

function isDigit(char: string): boolean {
  return char >= '0' && char <= '9'
}

function isNumberPart(char: string): boolean {
  return isDigit(char) || char === '.' || (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')
}

function isName(char: string): boolean {
  return (
    (char >= 'a' && char <= 'z') ||
    (char >= 'A' && char <= 'Z') ||
    char === '_' ||
    isDigit(char) ||
    char > '\u{7f}'
  )
}
