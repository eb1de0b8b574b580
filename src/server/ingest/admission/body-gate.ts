import type { MemoryBounds } from '#server/memory-bounds.ts'

/** The memory limits of request bodies. */
export type BodyBounds = Pick<MemoryBounds, 'bodyBytes' | 'inflatesAtOnce'>

/** The memory reserved for the body of one request, from its first byte until the request is answered. */
export interface BodyHold {
  readonly gate: BodyGate
  /**
   * Reserves this many bytes in total. Returns false if there is no room; in that case the reservation is
   * unchanged.
   */
  resize(bytes: number): boolean
  /** Releases all memory. */
  release(): void
}

/** Bounds the memory of all request bodies together. One per composition root. */
export interface BodyGate {
  /** Creates an empty reservation for one request. */
  hold(): BodyHold
  /** Runs a few jobs in parallel and queues the others in order. */
  inflate<T>(job: () => Promise<T>): Promise<T>
}

/** Creates a gate without reservations. */
export function createBodyGate({ bodyBytes, inflatesAtOnce }: BodyBounds): BodyGate {
  let allBytes = 0
  let running = 0
  const waiting: (() => void)[] = []

  async function inflate<T>(job: () => Promise<T>): Promise<T> {
    if (running >= inflatesAtOnce) {
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await job()
    } finally {
      // The slot is passed on directly, so that no other job can take it.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }

  const gate: BodyGate = {
    hold() {
      let heldBytes = 0
      return {
        gate,
        resize(bytes) {
          if (allBytes - heldBytes + bytes > bodyBytes) return false
          allBytes += bytes - heldBytes
          heldBytes = bytes
          return true
        },
        release() {
          allBytes -= heldBytes
          heldBytes = 0
        },
      }
    },
    inflate,
  }
  return gate
}
