/** Quoting rules of a database system, if its name is known. */
interface SqlDialect {
  /** Double quotes enclose string literals, not identifiers. */
  hasQuotedTexts: boolean
  /** A backslash escapes a quote. */
  hasEscapes: boolean
  /** `$tag$…$tag$` is a string literal. */
  hasDollarQuotes: boolean
}

const mysql: SqlDialect = { hasQuotedTexts: true, hasEscapes: true, hasDollarQuotes: false }
const standard: SqlDialect = { hasQuotedTexts: false, hasEscapes: false, hasDollarQuotes: true }
const unknown: SqlDialect = { hasQuotedTexts: false, hasEscapes: true, hasDollarQuotes: true }

/** By `db.system.name`, including its earlier values. */
const dialects: ReadonlyMap<string, SqlDialect> = new Map([
  ['mysql', mysql],
  ['mariadb', mysql],
  ...['postgresql', 'cockroachdb', 'sqlite', 'microsoft.sql_server', 'mssql', 'oracle.db', 'oracle'].map(
    (system) => [system, standard] as const,
  ),
])

/**
 * An SQL text with placeholders for its values, so that all texts of one statement are equal: literals and
 * parameters become `%s`, lists of them a single one, digits in names `{%s}`; comments, casts and quotes of
 * identifiers are removed. `system`: the name of the database system in OpenTelemetry's terms, if known.
 * Reads each character once, so the cost is linear for any text.
 */
export function scrubSql(text: string, system?: string): string {
  const dialect = dialects.get(system ?? '') ?? unknown
  const parts: string[] = []
  let at = 0
  while (at < text.length) {
    const { end, part } = readPart(text, at, dialect)
    at = end
    if (part !== '') pushPart(parts, part)
  }
  return joinParts(parts)
}

/** `scrubSql`, or the same function with a cache. */
export type ScrubSql = typeof scrubSql

/** Creates a `scrubSql` that caches its results. Use one per segment, whose spans repeat their queries. */
export function createSqlScrubber(): ScrubSql {
  const known = new Map<string, { system: string | undefined; scrubbed: string }>()
  return (text, system) => {
    let made = known.get(text)
    if (made === undefined || made.system !== system) {
      made = { system, scrubbed: scrubSql(text, system) }
      known.set(text, made)
    }
    return made.scrubbed
  }
}

/** A token of a statement and its end. An empty text stands for a space or a comment. */
interface SqlPart {
  part: string
  end: number
}

const value = '%s'

function readPart(text: string, at: number, dialect: SqlDialect): SqlPart {
  const char = text.charAt(at)
  const pair = text.slice(at, at + 2)
  if (char <= ' ') return { part: '', end: at + 1 }
  if (pair === '--') return { part: '', end: endBefore(text, '\n', at) }
  if (pair === '::') return { part: '', end: endOfRun(text, at + 2, isName) }
  if (pair === '/*') return { part: '', end: endAfter(text, '*/', at + 2) }
  if (char === "'" || (char === '"' && dialect.hasQuotedTexts))
    return { part: value, end: endOfQuoted(text, at, dialect.hasEscapes) }
  if (char === '"' || char === '`') return readQuotedName(text, at)
  if (char === '%' && text.charAt(at + 1) === 's') return { part: value, end: at + 2 }
  if (char === '?') return { part: value, end: at + 1 }
  if (isDigit(char)) return { part: value, end: endOfRun(text, at, isNumberPart) }
  const tag = char === '$' && dialect.hasDollarQuotes ? findDollarTag(text, at) : undefined
  if (tag !== undefined) return { part: value, end: endAfter(text, tag, at + tag.length) }
  if ((char === '$' || char === ':' || char === '@') && isName(text.charAt(at + 1)))
    return { part: value, end: endOfRun(text, at + 1, isName) }
  if (isName(char)) return readName(text, at, dialect)
  return { part: char, end: at + 1 }
}

/** The opening delimiter of a dollar-quoted string in PostgreSQL, `$$` or `$tag$`. */
function findDollarTag(text: string, at: number): string | undefined {
  return dollarTag.exec(text.slice(at, at + tagCharacters))?.[0]
}

/** Identifiers of PostgreSQL have up to 63 bytes. */
const tagCharacters = 65
const dollarTag = /^\$(?:[a-z_\u{80}-\u{ffff}][\w\u{80}-\u{ffff}]*)?\$/iu

function readQuotedName(text: string, at: number): SqlPart {
  const end = endOfQuoted(text, at, false)
  return { part: maskDigits(text.slice(at + 1, Math.max(at + 1, end - 1))), end }
}

const literals = new Set(['true', 'false', 'null'])

function readName(text: string, at: number, { hasEscapes }: SqlDialect): SqlPart {
  const end = endOfRun(text, at, (char) => isName(char) || char === '$')
  const name = text.slice(at, end)
  // Prefixes of literals: N'text', X'00', and E'text', in which a backslash escapes.
  if (name.length === 1 && text.charAt(end) === "'")
    return { part: value, end: endOfQuoted(text, end, hasEscapes || name.toLowerCase() === 'e') }
  return { part: literals.has(name.toLowerCase()) ? value : maskDigits(name), end }
}

/** Adds a token, unless it only continues a list of values. */
function pushPart(parts: string[], part: string): void {
  parts.push(part)
  const [third, second, last] = [parts.at(-3), parts.at(-2), part]
  if (last === value && second === ',' && third === value) parts.length -= 2
  else if (last === value && second === '-' && isOperatorBefore(third)) parts.splice(-2, 1)
  // (%s), (%s)
  else if (last === ')' && parts.slice(-7).join('') === `(${value}),(${value})`) parts.length -= 4
}

/** A minus sign after such a token belongs to a number. */
function isOperatorBefore(part: string | undefined): boolean {
  return part !== undefined && /^[=<>(,+*/-]$/.test(part)
}

/**
 * Joins tokens, without spaces inside parentheses, before commas, around dots and between the characters of
 * an operator.
 */
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

/** The end of a quoted token whose opening quote is at `at`. */
function endOfQuoted(text: string, at: number, hasEscapes: boolean): number {
  const quote = text.charAt(at)
  let end = at + 1
  for (;;) {
    const found = text.indexOf(quote, end)
    if (found === -1) return text.length
    if (hasEscapes && isEscaped(text, found, at)) end = found + 1
    // A doubled quote is an escaped one.
    else if (text.charAt(found + 1) === quote) end = found + 2
    else return found + 1
  }
}

/** True after an odd number of backslashes: two of them are an escaped backslash. */
function isEscaped(text: string, quoteAt: number, from: number): boolean {
  let start = quoteAt
  while (start - 1 > from && text.charAt(start - 1) === '\\') start -= 1
  return (quoteAt - start) % 2 === 1
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
