import { totalmem } from 'node:os'
import { limits } from '#server/limits.ts'

/** What may take how much memory in this process. */
export interface MemoryBounds {
  /** Bytes of request bodies that are not answered yet, all together. */
  bodyBytes: number
  /** Bodies that are inflated at the same time. */
  inflatesAtOnce: number
  /** Connections at a time. */
  connections: number
  /** Bytes of the heap of the thread that reads source maps, and of the maps that it keeps. */
  mapThreadBytes: number
  mapCacheBytes: number
}

/** Bytes of memory that this process may use: what its container allows, else what the machine has. */
export function readMemoryBytes(): number {
  // 0 where the system has no such limit, and beyond all memory where none is set.
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * The bounds in so much memory: a share of it each, never more than the limit of their own. A body is in
 * memory up to five times on its way into the database (measured), next to some 200 MB that the process takes
 * at rest.
 */
export function toMemoryBounds(memoryBytes: number): MemoryBounds {
  const isSmall = memoryBytes < limits.smallMemoryBytes
  return {
    // One body of full size fits in any case.
    bodyBytes: clamp(
      memoryBytes * limits.bodyMemoryShare,
      limits.ingestBodyBytes,
      limits.ingestBufferedBytes,
    ),
    inflatesAtOnce: isSmall ? 1 : limits.inflatesAtOnce,
    connections: clamp(
      (memoryBytes * limits.connectionMemoryShare) / limits.connectionBytes,
      1,
      limits.connections,
    ),
    mapThreadBytes: Math.min(memoryBytes * limits.mapThreadMemoryShare, limits.sourceMapThreadBytes),
    mapCacheBytes: Math.min(memoryBytes * limits.mapCacheMemoryShare, limits.sourceMapCacheBytes),
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.round(Math.min(Math.max(value, least), most))
}
