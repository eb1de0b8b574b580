import type { Json } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { cleanText } from '#server/normalize/text.ts'

/**
 * Reads the fingerprint that an SDK has set; undefined if there is none, or one without a usable part.
 *
 * Parts become texts as in Relay, so that rules and issues are the same: `True`, `False`, and fractions
 * without their decimals. Nulls are skipped, other values are dropped with an error.
 */
export function readFingerprint(event: FieldReader, key: string): string[] | undefined {
  const sent = event.source[key]
  if (sent === undefined || sent === null) return undefined
  const list = Array.isArray(sent) ? sent : [sent]
  if (list.length > limits.fingerprintParts) event.note(key, 'too_many')
  const parts: string[] = []
  let hasOther = false
  for (const part of list.slice(0, limits.fingerprintParts)) {
    const text = toText(part)
    if (text !== undefined) parts.push(text)
    else if (part !== null) hasOther = true
  }
  if (hasOther) event.note(key, 'wrong_type')
  return parts.some((part) => part.trim() !== '') ? parts : undefined
}

function toText(part: Json): string | undefined {
  if (typeof part === 'string') return cleanText(part, limits.fingerprintPartCharacters)
  if (typeof part === 'boolean') return part ? 'True' : 'False'
  if (typeof part !== 'number' || Math.abs(part) > Number.MAX_SAFE_INTEGER) return undefined
  return String(Math.trunc(part))
}
