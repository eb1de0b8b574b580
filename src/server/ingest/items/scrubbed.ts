import type { JsonObject } from '#protocol/json.ts'
import type { FrameCache } from '#server/normalize/frame-cache.ts'
import { hidesFields } from '#server/scrub/names/name-count.ts'
import { keepsEverything, scrubEvent } from '#server/scrub/scrub-event.ts'
import type { ScrubPlan } from '#server/scrub/scrub-plan.ts'

/** An item's payload as JSON, and as the bytes that are stored. */
export interface ItemPayload {
  value: JsonObject
  payload: Uint8Array
}

/**
 * Scrubs a payload. Returns the same object if nothing matched: in that case the received bytes are stored.
 * Otherwise the JSON is serialized again, even if the bytes contain more than was parsed.
 */
export function scrubItem(item: ItemPayload, plan: ScrubPlan, cache?: FrameCache): ItemPayload {
  if (keepsEverything(plan)) return item
  const { value, nameCount } = scrubEvent(item.value, plan, cache)
  if (value === item.value && !hidesFields(item.payload, nameCount)) return item
  return { value, payload: Buffer.from(JSON.stringify(value)) }
}
