import { limits } from '#server/limits.ts'
import type { FieldReader } from './field-reader.ts'
import { type NameValuePair, type PairLimits, parsePairs } from './name-value-pairs.ts'

const tagLimits: PairLimits = {
  // One more than the limit, to detect that there are too many.
  pairs: limits.tags + 1,
  nameCharacters: limits.tagKeyCharacters,
  valueCharacters: limits.tagValueCharacters,
}

/**
 * Parses the tags of an SDK: a map, a list of pairs, or a list of `{ key, value }`.
 *
 * Spaces in a key become dashes, line ends in a value become spaces. Tags without a key or a value are left
 * out; of a repeated key the first one counts.
 */
export function readTags(event: FieldReader, key: string): NameValuePair[] {
  const sent = event.source[key]
  if (sent === undefined || sent === null) return []
  const pairs = parsePairs(sent, tagLimits)
  if (pairs === undefined) event.note(key, 'wrong_type')
  if (pairs !== undefined && pairs.length > limits.tags) event.note(key, 'too_many')
  const tags = new Map<string, string>()
  for (const [sentKey, sentValue] of pairs?.slice(0, limits.tags) ?? []) {
    const tagKey = replaceRuns(sentKey.trim(), /\s+/g, '-')
    const value = replaceRuns(sentValue.trim(), /[\r\n]+/g, ' ')
    if (tagKey !== '' && value !== '' && !tags.has(tagKey)) tags.set(tagKey, value)
  }
  return [...tags]
}

/** The test takes a fraction of the time, and nearly no text needs a replacement. */
function replaceRuns(text: string, runs: RegExp, replacement: string): string {
  return text.search(runs) === -1 ? text : text.replaceAll(runs, replacement)
}
