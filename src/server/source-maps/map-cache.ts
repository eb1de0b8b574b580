import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { SourceMapResult } from './source-map.ts'

/** An LRU cache of parsed maps of at most `limits.sourceMapCacheBytes`. The one in use always stays. */
export interface MapCache {
  /** Returns the map of a name; calls `read` if it is not cached. */
  find(name: string, read: () => SourceMapResult): SourceMapResult
  /** Approximate size of the cached maps. */
  readonly memoryBytes: number
}

/** Unreadable maps are cached too. */
const failureBytes = 200

/** Creates an empty cache. */
export function createMapCache(maxBytes: number = limits.sourceMapCacheBytes): MapCache {
  const maps = new BoundedMap<string, SourceMapResult>(maxBytes, bytesOf)
  return {
    get memoryBytes() {
      return maps.weight
    },
    find: (name, read) => maps.getOrCreate(name, read),
  }
}

function bytesOf(result: SourceMapResult): number {
  return result.ok ? result.map.memoryBytes : failureBytes
}
