import { limits } from '#server/limits.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'

/** A tag of an event. */
export type EventTag = readonly [key: string, value: string]

/** The tags by which an event is counted and searched, including its environment, at their stored length. */
export function countedTags({ environment, tags }: EventRecord): EventTag[] {
  const counted = [keptTag(['environment', environment])]
  for (const tag of tags.slice(0, limits.indexedTagsPerEvent)) {
    if (tag[0] !== 'environment') counted.push(keptTag(tag))
  }
  return counted
}

function keptTag(tag: EventTag): EventTag {
  const [key, value] = tag
  if (key.length <= limits.tagKeyCharacters && value.length <= limits.tagValueCharacters) return tag
  return [key.slice(0, limits.tagKeyCharacters), value.slice(0, limits.tagValueCharacters)]
}

const hashBytes = 3

/**
 * Three bytes computed from a tag: FNV-1a, folded. Among 280,000 events without a tag, one is a false
 * positive. Hashes are stored, so the function must not change.
 */
export function tagHash(tag: EventTag): Uint8Array {
  return tagHashes([tag])
}

/** The hashes of tags, one after another. */
export function tagHashes(tags: readonly EventTag[]): Uint8Array {
  const bytes = new Uint8Array(tags.length * hashBytes)
  let at = 0
  for (const [key, value] of tags) {
    const hash = addText(addText(offsetBasis, key) ^ separator, value)
    const folded = (hash >>> 24) ^ (hash & 0xff_ff_ff)
    bytes[at] = folded >>> 16
    bytes[at + 1] = folded >>> 8
    bytes[at + 2] = folded
    at += hashBytes
  }
  return bytes
}

const offsetBasis = 0x81_1c_9d_c5
const prime = 0x01_00_01_93
/** Not a character, so that `a` + `bc` and `ab` + `c` differ. */
const separator = 0x1_00_00

function addText(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime)
  return hash
}
