import type { MemoryBounds } from '#server/memory-bounds.ts'

/** What bodies may take of the memory. */
export type BodyBounds = Pick<MemoryBounds, 'bodyBytes' | 'inflatesAtOnce'>

/** The memory that the body of one request takes, from its first byte until the request is answered. */
export interface BodyHold {
  readonly gate: BodyGate
  /** Says whether there is room for so many bytes in all; if not, what is held stays as it was. */
  resize(bytes: number): boolean
  /** Gives everything back. */
  release(): void
}

/** Bounds the memory that bodies of all requests take together. One per composition root. */
export interface BodyGate {
  /** For one request: nothing held yet. */
  hold(): BodyHold
  /** Runs a few jobs at a time and lets the others wait in order. */
  inflate<T>(job: () => Promise<T>): Promise<T>
}

/** Creates a gate with nothing held. */
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
      // The place is handed on, not freed and fought over.
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
