import { limits } from '#server/limits.ts'
import type { SourceMapResult } from './source-map.ts'

/** Maps that have been read, those used last: `limits.sourceMapCacheBytes` of them, and the one in use whatever its size. */
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
  // In the order of their last use, the oldest first.
  const held = new Map<string, SourceMapResult>()
  let memoryBytes = 0

  function makeRoom(): void {
    for (const [name, result] of held) {
      if (memoryBytes <= maxBytes || held.size === 1) return
      held.delete(name)
      memoryBytes -= bytesOf(result)
    }
  }

  return {
    get memoryBytes() {
      return memoryBytes
    },
    find(name, read) {
      const known = held.get(name)
      const result = known ?? read()
      held.delete(name)
      held.set(name, result)
      if (known === undefined) {
        memoryBytes += bytesOf(result)
        makeRoom()
      }
      return result
    },
  }
}

function bytesOf(result: SourceMapResult): number {
  return result.ok ? result.map.memoryBytes : failureBytes
}
