import { setTimeout as delay } from 'node:timers/promises'

/** Fails as soon as a check fails within a time: for what must not happen. */
export async function expectThroughout(durationMs: number, check: () => void | Promise<void>): Promise<void> {
  const endsAt = performance.now() + durationMs
  for (;;) {
    await check()
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0) return
    await delay(Math.min(50, leftMs))
  }
}

/** Waits until a count has been 0 for a time. */
export async function untilStill(durationMs: number, count: () => number): Promise<void> {
  let stillSince = performance.now()
  while (performance.now() - stillSince < durationMs) {
    await delay(10)
    if (count() !== 0) stillSince = performance.now()
  }
}

/**
 * A time that is part of the case: of a user between two actions, of a client between two requests, of how
 * long a fault lasts. Never waits for what is tested: `expect.poll` does.
 */
export function pause(durationMs: number): Promise<void> {
  return delay(durationMs)
}
