import { isMarkAt } from '#server/scrub/scrub-rule.ts'
import { isBlank, isQuoteCode, mostBlanks, type AssignedName } from './assigned-name.ts'

/** The left-hand side of an assignment. */
export interface Assignment {
  name: AssignedName
  sign: string
  /** True if the value continues to the end of its line. */
  isHeader: boolean
  /** True if only a quoted value counts. */
  isSourceCode: boolean
}

/** The range of a value, without its quotes. */
export interface AssignedValue {
  start: number
  end: number
  isQuoted: boolean
}

/** Words for a missing value, and common placeholders for secrets. */
const harmlessValues = new Set(
  (
    'null undefined none nil nan true false empty blank unset required missing invalid expired incorrect wrong unknown not ' +
    'must is was has the a an denied failed failure error ok yes no on off optional string number boolean object any ' +
    'disabled enabled unauthorized forbidden unsupported malformed revoked mismatch redacted filtered hidden include omit ' +
    'same-origin'
  ).split(' '),
)

/** `?`, `$1`, `%s`, `%(name)s`, `{name}`: placeholders in SQL and in message templates. */
const placeholder = /(?:\?|\$\d{1,3}|%[sdr]|%\(\w{1,64}\)[sdr]|\{\w{0,64}\})(?![\w-])/y

const schemes = /^(?:bearer|basic|digest|negotiate|token|apikey|aws4-hmac-sha256)$/i

/** Reads the value behind a separator; undefined when there is none, or none that could be secret. */
export function valueAfter(
  text: string,
  separatorEnd: number,
  assignment: Assignment,
): AssignedValue | undefined {
  const { name, sign } = assignment
  // A namespace or a URL.
  if (sign === ':' && (text.charCodeAt(separatorEnd) === 0x3a || text.startsWith('//', separatorEnd)))
    return undefined
  let start = separatorEnd
  while (text.charCodeAt(start) === 0x3d || text.charCodeAt(start) === 0x3e) start += 1
  const blanksEnd = start + mostBlanks
  while (start < blanksEnd && (isBlank(text.charCodeAt(start)) || (name.isQuoted && isLineEnd(text, start))))
    start += 1
  if (start >= text.length || isMarkAt(text, start)) return undefined
  placeholder.lastIndex = start
  if (placeholder.test(text)) return undefined
  const quoted = readQuoted(text, start)
  if (quoted === undefined && assignment.isSourceCode) return undefined
  const value = quoted ?? readBracketed(text, start, assignment) ?? readBare(text, start, assignment)
  return value === undefined || isHarmless(text, value, assignment) ? undefined : value
}

function isHarmless(
  text: string,
  { start, end, isQuoted }: AssignedValue,
  { name, sign }: Assignment,
): boolean {
  if (end <= start || isMarkAt(text, start)) return true
  const value = text.slice(start, Math.min(end, start + 80))
  if (harmlessValues.has(value.toLowerCase())) return true
  if (isQuoted) return value.length <= 2 && !/[A-Za-z\d]/.test(value)
  // A word of a sentence: another one follows.
  const isProse = sign === ':' && !name.isQuoted && isBlank(text.charCodeAt(start - 1))
  return isProse && /^[A-Za-z]?[a-z]*$/.test(value) && /^,? [a-z]/i.test(text.slice(end, end + 3))
}

/** `"…"`, `'…'`, `b'…'`, escaped ones, and `%22…%22`; to the end of the text if it was truncated. */
function readQuoted(text: string, valueStart: number): AssignedValue | undefined {
  if (text.startsWith('%22', valueStart)) return readEncodedQuoted(text, valueStart + 3)
  let at = valueStart
  // Prefixes of Python and C#.
  while (at < valueStart + 2 && /[bBuUrRfF@$]/.test(text.charAt(at))) at += 1
  let escapes = 0
  while (escapes < 8 && text.charCodeAt(at) === 0x5c) {
    at += 1
    escapes += 1
  }
  const quote = text.charCodeAt(at)
  if (!isQuoteCode(quote)) return undefined
  const start = at + 1
  return { start, end: quoteEnd(text, start, { quote, escapes }), isQuoted: true }
}

/** Finds the closing quote of one that was opened after this many backslashes: a nested one has more. */
function quoteEnd(
  text: string,
  start: number,
  { quote, escapes }: { quote: number; escapes: number },
): number {
  let backslashes = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) {
      backslashes += 1
    } else {
      const isClosing = escapes === 0 ? backslashes % 2 === 0 : backslashes <= escapes
      if (code === quote && isClosing) return at - (escapes === 0 ? 0 : backslashes)
      backslashes = 0
    }
  }
  return text.length
}

function readEncodedQuoted(text: string, start: number): AssignedValue {
  const found = text.indexOf('%22', start)
  return { start, end: found === -1 ? text.length : found, isQuoted: true }
}

const longestProseBracket = 100

const closing = new Map([
  ['[', ']'],
  ['{', '}'],
  ['(', ')'],
])

/**
 * A list or an object, up to its closing bracket. Without one it extends to the end of the text, but in prose
 * it is only a bracket.
 */
function readBracketed(text: string, start: number, { name, sign }: Assignment): AssignedValue | undefined {
  const open = text.charAt(start)
  const close = closing.get(open)
  if (close === undefined) return undefined
  const isProse = sign === ':' && !name.isQuoted
  // Without a limit, a text of only opening brackets would be scanned again from each of them.
  const lastEnd = isProse ? Math.min(text.length, start + longestProseBracket) : text.length
  let depth = 0
  for (let at = start; at < lastEnd; at += 1) {
    const character = text.charAt(at)
    if (character === open) depth += 1
    else if (character === close) depth -= 1
    if (depth === 0) return { start, end: at + 1, isQuoted: false }
  }
  return isProse ? undefined : { start, end: text.length, isQuoted: false }
}

const bareEnd = /[\s&;"'`<>]|%2[36]/g
const lineEnd = /[\r\n"'`<]/g

function readBare(text: string, start: number, { isHeader, sign }: Assignment): AssignedValue | undefined {
  const pattern = isHeader ? lineEnd : bareEnd
  let end = indexOfMatch(text, pattern, start)
  if (isHeader) end = behindParameters(text, end)
  if (schemes.test(text.slice(start, Math.min(end, start + 20))) && isBlank(text.charCodeAt(end))) {
    end = indexOfMatch(text, bareEnd, end + 1)
  }
  // The end of a sentence, of a list or of a call. In a query these characters are part of the value.
  if (!sign.startsWith('%')) end = sentenceEnd(text, start, end)
  return end > start ? { start, end, isQuoted: false } : undefined
}

/** The end of a line that continues after quotes: `Digest username="jo", response="…"`, `sid="…"; Path=/`. */
function behindParameters(text: string, firstEnd: number): number {
  let end = firstEnd
  while (text.charAt(end) === '"' && text.charAt(end - 1) === '=') {
    const closed = text.indexOf('"', end + 1)
    end = closed === -1 ? text.length : indexOfMatch(text, lineEnd, closed + 1)
  }
  return end
}

function sentenceEnd(text: string, start: number, runEnd: number): number {
  let end = runEnd
  while (end > start && /[,.;:!?)\]}\\\s]/.test(text.charAt(end - 1))) end -= 1
  return end
}

function indexOfMatch(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 0x0a || code === 0x0d
}
