import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import type { SourceMapResult } from './source-map.ts'

/**
 * Maps that have been read, those used last: `limits.sourceMapCacheBytes` of them, and the one in use
 * whatever its size.
 */
export interface MapCache {
  /** The map of this name; read by the function when it is not here. */
  find(name: string, read: () => SourceMapResult): SourceMapResult
  /** What is held, about. */
  readonly memoryBytes: number
}

/** A map that could not be read is remembered too. */
const failureBytes = 200

/** Creates an empty one. */
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
