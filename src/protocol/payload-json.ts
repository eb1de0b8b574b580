const decoder = new TextDecoder()

/**
 * A string literal, or a number that JSON does not have. An unterminated string matches up to the end:
 * otherwise each quote in it would start another scan, and the time would be quadratic in the payload.
 */
const stringOrBareNumber = /"(?:[^"\\]+|\\[\s\S]?)*(?:"|$)|-?\b(?:NaN|Infinity)\b/g

/** The value of a payload, or `ok: false` for invalid JSON. */
export type PayloadJson = { ok: true; value: unknown } | { ok: false }

/**
 * Parses the JSON payload of an envelope item.
 *
 * More lenient than `JSON.parse` in three cases that real SDKs need: a UTF-8 byte order mark is skipped,
 * invalid UTF-8 becomes U+FFFD, and the bare `NaN`, `Infinity` and `-Infinity` of old Python SDKs are null.
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
export function parsePayloadText(text: string): PayloadJson {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return parseWithBareNumbers(text)
  }
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
