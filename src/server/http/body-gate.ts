import { limits } from '#server/limits.ts'

/**
 * Bounds the memory that bodies of all requests take together. One per composition root.
 *
 * `reserve` is asked for bytes before they are kept and says whether there is room; `release` gives them back.
 * `inflate` runs at most `limits.inflatesAtOnce` jobs at a time and lets the others wait in order.
 */
export interface BodyGate {
  reserve(bytes: number): boolean
  release(bytes: number): void
  inflate<T>(job: () => Promise<T>): Promise<T>
}

/** Creates a gate with nothing reserved. */
export function createBodyGate(): BodyGate {
  let reservedBytes = 0
  let running = 0
  const waiting: (() => void)[] = []

  async function inflate<T>(job: () => Promise<T>): Promise<T> {
    if (running >= limits.inflatesAtOnce) {
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

  return {
    reserve(bytes) {
      if (reservedBytes + bytes > limits.ingestBufferedBytes) return false
      reservedBytes += bytes
      return true
    },
    release(bytes) {
      reservedBytes -= bytes
    },
    inflate,
  }
}
