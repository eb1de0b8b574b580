import { limits } from '#server/limits.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { cleanText } from '#server/normalize/text.ts'

/**
 * Reads the fingerprint an SDK set; undefined when it set none, or one that cannot be trusted.
 *
 * Texts and whole numbers are parts. A list with anything else in it is dropped whole: SDKs write booleans
 * and fractions differently (`True`, `1.0`), so the same error would land in different issues.
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
