import { totalmem } from 'node:os'
import { limits } from '#server/limits.ts'

/** Memory budgets of this process. */
export interface MemoryBounds {
  /** Bytes of all request bodies in progress. */
  bodyBytes: number
  /** Concurrently inflated bodies. */
  inflatesAtOnce: number
  /** Concurrent connections. */
  connections: number
  /** Heap bytes of the source map thread, and bytes of its cached maps. */
  mapThreadBytes: number
  mapCacheBytes: number
}

/** Bytes of memory available to the process: the container's limit, otherwise the machine's memory. */
export function readMemoryBytes(): number {
  // 0 if the system has no such limit, and more than the machine's memory if none is set.
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
}

/**
 * Budgets for an amount of memory: a share of it each, capped by their own limits. A body is in memory up to
 * five times until it is stored (measured), in addition to 200 MB of the idle process.
 */
export function toMemoryBounds(memoryBytes: number): MemoryBounds {
  const isSmall = memoryBytes < limits.smallMemoryBytes
  return {
    // One body of maximum size always fits.
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
