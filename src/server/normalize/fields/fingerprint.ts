import { limits } from '#server/limits.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { cleanText } from '#server/normalize/text.ts'

/**
 * Reads the fingerprint that an SDK has set; undefined if there is none, or an unreliable one.
 *
 * Parts are texts and integers. A list with any other value is dropped: SDKs format booleans and fractions
 * differently (`True`, `1.0`), so that the same error would be grouped into different issues.
 */
export function readFingerprint(event: FieldReader, key: string): string[] | undefined {
  const sent = event.source[key]
  if (sent === undefined || sent === null) return undefined
  const list = Array.isArray(sent) ? sent : [sent]
  if (list.length > limits.fingerprintParts) event.note(key, 'too_many')
  const parts: string[] = []
  for (const part of list.slice(0, limits.fingerprintParts)) {
    if (typeof part === 'string') parts.push(cleanText(part, limits.fingerprintPartCharacters))
    else if (typeof part === 'number' && Number.isInteger(part)) parts.push(String(part))
    else {
      event.note(key, 'wrong_type')
      return undefined
    }
  }
  return parts.some((part) => part.trim() !== '') ? parts : undefined
}
