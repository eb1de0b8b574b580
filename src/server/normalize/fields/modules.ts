import { isJsonObject, type Json } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { FieldReader } from '#server/normalize/field-reader.ts'
import { type NameValuePair, type PairLimits, parsePairs } from '#server/normalize/name-value-pairs.ts'

const moduleLimits: PairLimits = {
  pairs: limits.modules,
  nameCharacters: limits.nameCharacters,
  valueCharacters: limits.nameCharacters,
}

/** Reads an event's modules (dependencies): a map from name to version, or a list of `{ name, version }`. */
export function readModules(event: FieldReader, key: string): NameValuePair[] {
  const sent = event.source[key]
  if (sent === undefined || sent === null) return []
  const pairs = parsePairs(Array.isArray(sent) ? sent.map(toPair) : sent, moduleLimits)
  if (pairs === undefined) event.note(key, 'wrong_type')
  return pairs ?? []
}

function toPair(module: Json): Json {
  return isJsonObject(module) ? [module['name'] ?? null, module['version'] ?? ''] : module
}
