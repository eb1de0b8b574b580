import type { JsonObject } from '#protocol/json.ts'
import type { EventCache } from '#server/normalize/event-cache.ts'
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
export function scrubItem(item: ItemPayload, plan: ScrubPlan, cache?: EventCache): ItemPayload {
  if (keepsEverything(plan)) return item
  const { value, nameCount } = scrubEvent(item.value, plan, cache?.frames)
  if (value === item.value && !hidesFields(item.payload, nameCount)) return item
  const text = toJson(value)
  return { value, payload: cache?.texts.encode(text) ?? Buffer.from(text) }
}

/** In two parts: V8 takes a third longer to serialize an event with its remarks at the end. */
function toJson({ _meta: meta, ...fields }: JsonObject): string {
  const text = JSON.stringify(fields)
  if (meta === undefined) return text
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"_meta":${JSON.stringify(meta)}}`
}
