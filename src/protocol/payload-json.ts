const decoder = new TextDecoder()

/**
 * A string literal, or a number that JSON does not have. An unterminated string matches up to the end:
 * otherwise each quote in it would start another scan, and the time would be quadratic in the payload.
 */
const stringOrBareNumber = /"(?:[^"\\]+|\\[\s\S]?)*(?:"|$)|-?\b(?:NaN|Infinity)\b/g

/** Integers of fewer digits are represented exactly. */
const inexactDigits = 16
/**
 * An integer of 16 digits or more, which JavaScript may not represent exactly, or a string literal. No match
 * can begin within a number, so that the time is linear.
 */
const stringOrLongInteger = /"(?:[^"\\]+|\\[\s\S]?)*(?:"|$)|(?<![\w.+-])-?[1-9]\d{15,}(?:[.eE][\d.eE+-]*)?/g

/** The value of a payload, or `ok: false` for invalid JSON. */
export type PayloadJson = { ok: true; value: unknown } | { ok: false }

/**
 * Parses the JSON payload of an envelope item.
 *
 * More lenient than `JSON.parse` in three cases that real SDKs need: a UTF-8 byte order mark is skipped,
 * invalid UTF-8 becomes U+FFFD, and the bare `NaN`, `Infinity` and `-Infinity` of old Python SDKs are null.
 * An integer that JavaScript cannot represent exactly, such as a 64-bit id, is a string of its digits.
 * Nesting is not limited; callers that traverse the value must limit their depth.
 */
export function parsePayloadJson(bytes: Uint8Array): PayloadJson {
  return parsePayloadText(decodePayload(bytes))
}

/** The first step of `parsePayloadJson`. */
export function decodePayload(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** The second step of `parsePayloadJson`; also for a part of a payload. */
export function parsePayloadText(sent: string): PayloadJson {
  const hasInexact = hasLongInteger(sent)
  const text = hasInexact ? sent.replaceAll(stringOrLongInteger, quoteInexact) : sent
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return parseWithBareNumbers(text)
  }
}

/**
 * True for a text with 16 digits in a row behind a colon, a comma or a bracket. Reads one of 16 characters,
 * because each such run contains one of them.
 */
function hasLongInteger(text: string): boolean {
  for (let at = inexactDigits - 1; at < text.length; at += inexactDigits) {
    if (!isDigit(text, at)) continue
    let from = at
    while (isDigit(text, from - 1)) from -= 1
    let to = at + 1
    while (isDigit(text, to)) to += 1
    if (to - from >= inexactDigits && isNumberStart(text, from)) return true
    at = to
  }
  return false
}

/** True if the characters before `at` are those before a number in JSON, also within a string literal. */
function isNumberStart(text: string, at: number): boolean {
  let before = text.charAt(at - 1) === '-' ? at - 2 : at - 1
  while (isBlank(text.charCodeAt(before))) before -= 1
  return before >= 0 && ':,['.includes(text.charAt(before))
}

/** True for whitespace of JSON. */
function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** False outside the text. */
function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

/** Returns a string literal unchanged. */
function quoteInexact(literal: string): string {
  return /^-?\d+$/.test(literal) && String(Number(literal)) !== literal ? `"${literal}"` : literal
}

function parseWithBareNumbers(text: string): PayloadJson {
  if (!text.includes('NaN') && !text.includes('Infinity')) return { ok: false }
  try {
    const repaired = text.replaceAll(stringOrBareNumber, (match) => (match.startsWith('"') ? match : 'null'))
    return { ok: true, value: JSON.parse(repaired) }
  } catch {
    return { ok: false }
  }
}
