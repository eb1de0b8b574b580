import { limits } from '#server/limits.ts'
import type { EventRecord } from './event-record.ts'

/** A tag of an event. */
export type EventTag = readonly [key: string, value: string]

/** The tags by which an event is counted and found, its environment among them; as long as they are kept. */
export function* countedTags({ environment, tags }: EventRecord): Generator<EventTag> {
  yield keptTag(['environment', environment])
  for (const [at, tag] of tags.entries()) {
    if (at === limits.indexedTagsPerEvent) break
    if (tag[0] !== 'environment') yield keptTag(tag)
  }
}

function keptTag([key, value]: EventTag): EventTag {
  return [key.slice(0, limits.tagKeyCharacters), value.slice(0, limits.tagValueCharacters)]
}

/**
 * Three bytes that depend on a tag alone: FNV-1a, folded. Among 280,000 events one without the tag looks as if it had it.
 * What is stored is compared with it, so it must stay as it is.
 */
export function tagHash([key, value]: EventTag): Uint8Array {
  const hash = addText(addText(offsetBasis, key) ^ separator, value)
  const folded = (hash >>> 24) ^ (hash & 0xff_ff_ff)
  return Uint8Array.of(folded >>> 16, (folded >>> 8) & 0xff, folded & 0xff)
}

/** The hashes of all of an event's counted tags, one after another. */
export function tagHashes(event: EventRecord): Uint8Array {
  const bytes: number[] = []
  for (const tag of countedTags(event)) bytes.push(...tagHash(tag))
  return Uint8Array.from(bytes)
}

const offsetBasis = 0x81_1c_9d_c5
const prime = 0x01_00_01_93
/** No character: `a` + `bc` and `ab` + `c` differ. */
const separator = 0x1_00_00

function addText(start: number, text: string): number {
  let hash = start
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime)
  return hash
}
