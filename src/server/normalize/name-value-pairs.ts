import { isJsonObject, type Json } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { cleanText } from './text.ts'

export type NameValuePair = [name: string, value: string]

/** The maximum number of pairs, and the maximum lengths of their texts. */
export interface PairLimits {
  pairs: number
  nameCharacters: number
  valueCharacters: number
}

/** For headers, cookies and query parameters. */
export const requestPairLimits: PairLimits = {
  pairs: limits.requestPairs,
  nameCharacters: limits.nameCharacters,
  valueCharacters: limits.requestValueCharacters,
}

/**
 * Parses name-value pairs in any of the formats that SDKs use: a map, a list of pairs, or a list of `{ key,
 * value }`.
 *
 * Values are converted to texts: lists joined by commas, objects as JSON. Pairs without a name or with a null
 * value are left out, and so are pairs beyond `allowance.pairs`. Undefined if `value` has none of these
 * formats.
 */
export function parsePairs(value: Json | undefined, allowance: PairLimits): NameValuePair[] | undefined {
  if (Array.isArray(value)) return parsePairList(value, allowance)
  if (!isJsonObject(value)) return undefined
  const pairs: NameValuePair[] = []
  for (const name in value) {
    if (pairs.length === allowance.pairs) return pairs
    addPair(pairs, { name, value: value[name] }, allowance)
  }
  return pairs
}

function parsePairList(list: Json[], allowance: PairLimits): NameValuePair[] {
  const pairs: NameValuePair[] = []
  for (const element of list) {
    if (pairs.length === allowance.pairs) return pairs
    if (Array.isArray(element)) addPair(pairs, { name: element[0], value: element[1] }, allowance)
    else if (isJsonObject(element))
      addPair(pairs, { name: element['key'], value: element['value'] }, allowance)
  }
  return pairs
}

function addPair(
  pairs: NameValuePair[],
  pair: { name: Json | undefined; value: Json | undefined },
  allowance: PairLimits,
): void {
  const name = typeof pair.name === 'number' ? String(pair.name) : pair.name
  const value = toPairValue(pair.value)
  if (typeof name !== 'string' || name === '' || value === undefined) return
  pairs.push([cleanText(name, allowance.nameCharacters), cleanText(value, allowance.valueCharacters)])
}

function toPairValue(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object') return String(value)
  const parts = Array.isArray(value) ? value : Object.values(value)
  return parts
    .filter((part) => part !== null && typeof part !== 'object')
    .slice(0, limits.requestPairs)
    .join(',')
}
