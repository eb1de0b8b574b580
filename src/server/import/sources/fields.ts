import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { parsePayloadText } from '#protocol/payload-json.ts'

/** Parsers for fields of untrusted JSON. A field of another type is absent. */

/** Parses JSON as ingest does: digits of 64-bit ids stay. Throws the `SyntaxError` of `JSON.parse`. */
export function parseForeignJson(text: string): unknown {
  const parsed = parsePayloadText(text)
  return parsed.ok ? parsed.value : JSON.parse(text)
}

/** The objects in a list; other values are dropped. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** A text, or a number as text; empty for other values. */
export function foreignText(object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** A number, or a text of digits; undefined for other values. */
export function countOf(object: JsonObject, name: string): number | undefined {
  const text = foreignText(object, name)
  const count = Number(text)
  return /^[0-9]{1,16}$/.test(text) && Number.isSafeInteger(count) ? count : undefined
}

/** The object in a field; an empty one for other values. */
export function objectOf(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return isJsonObject(value) ? value : {}
}

/** The texts of a list, or the lines of a text. */
export function linesOf(value: unknown): string[] {
  const lines = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\n,]/) : []
  return lines.flatMap((line) => (typeof line === 'string' && line.trim() !== '' ? [line.trim()] : []))
}

/** Unix milliseconds of an ISO 8601 text; undefined for other values. */
export function timeOf(object: JsonObject, name: string): number | undefined {
  const text = foreignText(object, name)
  const at = /^\d{4}-\d\d-\d\dT/.test(text)
    ? Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
    : Number.NaN
  return Number.isSafeInteger(at) && at > 0 ? at : undefined
}

/** A public key with or without dashes as 32 lower-case hex digits; undefined if it is invalid. */
export function publicKeyOf(text: string): string | undefined {
  const key = text.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(key) ? key : undefined
}

/** An id that is valid for a project here. */
export function projectIdOf(value: unknown): number | undefined {
  const id =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^[0-9]{1,16}$/.test(value)
        ? Number(value)
        : 0
  return Number.isSafeInteger(id) && id > 0 ? id : undefined
}
