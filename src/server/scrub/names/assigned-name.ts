import { isMarkAt } from '#server/scrub/scrub-rule.ts'

/** The name before a `=` or `:`. */
export interface AssignedName {
  text: string
  /** True if it is quoted as in JSON; the value is then JSON as well. */
  isQuoted: boolean
  /** True after `?` or `&`. */
  isParameter: boolean
}

/** Blanks before or after a sign: configuration and code align them in columns. */
export const mostBlanks = 32

/** Long enough for eight percent-encoded letters beyond ASCII. */
const longestName = 96

/** Reads the name that ends at a separator; undefined if it cannot be the name of a secret. */
export function nameBefore(text: string, separatorAt: number): AssignedName | undefined {
  let end = separatorAt
  while (separatorAt - end < mostBlanks && isBlank(text.charCodeAt(end - 1))) end -= 1
  // user[password]=…, also percent-encoded
  if (text.charCodeAt(end - 1) === 0x5d) end -= 1
  else if (text.startsWith('%5D', end - 3) || text.startsWith('%5d', end - 3)) end -= 3
  const quoteEnd = skipQuoteBackwards(text, end)
  const isQuoted = quoteEnd < end
  end = quoteEnd
  let start = end
  while (end - start < longestName && isNameCode(text.charCodeAt(start - 1))) start -= 1
  if (text.charCodeAt(start - 1) === percent) start = encodedNameStart(text, start, end)
  if (end - start < 3 && !isShortName(text, start, end)) return undefined
  if (isWithinMark(text, start)) return undefined
  if (end - start === 3) start = firstWordOfKey(text, start)
  const before = text.charCodeAt(start - 1)
  return { text: text.slice(start, end), isQuoted, isParameter: before === 0x3f || before === 0x26 }
}

const percent = 0x25

/**
 * The start of a name after a percent sign. An escaped letter belongs to it, `contrase%C3%B1a`, an escaped
 * delimiter does not, `%3Fpassword%3D…`.
 */
function encodedNameStart(text: string, firstStart: number, end: number): number {
  let start = firstStart
  while (text.charCodeAt(start - 1) === percent) {
    const code = Number.parseInt(text.slice(start, start + 2), 16)
    if (Number.isNaN(code)) return start
    if (code <= 0x7f && nameCodes[code] !== 1) return start + 2
    start -= 1
    while (end - start < longestName && isNameCode(text.charCodeAt(start - 1))) start -= 1
  }
  return start
}

/** Names of two characters count only if they are not Latin, except `pw`. */
function isShortName(text: string, start: number, end: number): boolean {
  return end - start === 2 && (text.charCodeAt(start) > 0x7f || /^pw$/i.test(text.slice(start, end)))
}

/** `[token]: …` is a mark and a colon, `user[token]=…` a field of a form. */
function isWithinMark(text: string, start: number): boolean {
  return isMarkAt(text, start - 1) && !/[A-Za-z\d]/.test(text.charAt(start - 2))
}

/** `key` alone is not secret, `api_key` is. */
function firstWordOfKey(text: string, wordStart: number): number {
  if (!/^key$/i.test(text.slice(wordStart, wordStart + 3)) || !isBlank(text.charCodeAt(wordStart - 1))) {
    return wordStart
  }
  let start = wordStart - 1
  while (wordStart - start < 16 && isNameCode(text.charCodeAt(start - 1))) start -= 1
  return start
}

/** The position before a closing quote and its escapes; `end` itself if there is none. */
function skipQuoteBackwards(text: string, end: number): number {
  if (text.startsWith('%22', end - 3) && end >= 3) return end - 3
  if (!isQuoteCode(text.charCodeAt(end - 1))) return end
  let before = end - 1
  while (end - before < 9 && text.charCodeAt(before - 1) === 0x5c) before -= 1
  return before
}

/** True for `"`, `'` or a backtick. */
export function isQuoteCode(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x60
}

/** True for a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** 1 for ASCII characters of names. A table is twice as fast, and names are read at every `:`. */
const nameCodes = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.') {
  nameCodes[character.charCodeAt(0)] = 1
}

/** True for characters of names in any language: most characters beyond ASCII are letters. */
function isNameCode(code: number): boolean {
  return code > 0x7f || nameCodes[code] === 1
}
