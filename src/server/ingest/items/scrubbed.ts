import type { JsonObject } from '#protocol/json.ts'
import type { FrameMemory } from '#server/normalize/frame-memory.ts'
import { hidesFields } from '#server/scrub/names/name-count.ts'
import { keepsEverything, scrubEvent } from '#server/scrub/scrub-event.ts'
import type { ScrubPlan } from '#server/scrub/scrub-plan.ts'

/** An item's payload as JSON, and as the bytes it is stored as. */
export interface ItemPayload {
  value: JsonObject
  payload: Uint8Array
}

/**
 * Scrubs a payload. Returns the same object when nothing matched: the received bytes are then stored.
 * Otherwise the bytes are serialized again, even if they contain more than was parsed.
 */
export function scrubItem(item: ItemPayload, plan: ScrubPlan, memory?: FrameMemory): ItemPayload {
  if (keepsEverything(plan)) return item
  const { value, nameCount } = scrubEvent(item.value, plan, memory)
  if (value === item.value && !hidesFields(item.payload, nameCount)) return item
  return { value, payload: Buffer.from(JSON.stringify(value)) }
}
