import { isJsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { parseDebugId } from './debug-id.ts'

/** Debug ids of an event by file, as its frames name it (URL or path). */
export type DebugIds = ReadonlyMap<string, string>

/** Reads the debug ids of a payload: `debug_meta.images` of type `sourcemap`. Ignores invalid ones. */
export function readDebugIds(payload: unknown): DebugIds {
  const meta = isJsonObject(payload) ? payload['debug_meta'] : undefined
  const images = isJsonObject(meta) ? meta['images'] : undefined
  const ids = new Map<string, string>()
  for (const image of Array.isArray(images) ? images.slice(0, limits.debugImages) : []) {
    if (!isJsonObject(image) || image['type'] !== 'sourcemap') continue
    const debugId = parseDebugId(image['debug_id'])
    const file = image['code_file']
    if (debugId !== undefined && typeof file === 'string') ids.set(file, debugId)
  }
  return ids
}
