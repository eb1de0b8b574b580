import { setTimeout as sleep } from 'node:timers/promises'
import { isBusyError } from '#server/store/errors.ts'

/**
 * Milliseconds between attempts, the last value for all further ones: SQLite's own delays, but without
 * blocking the event loop.
 */
const pausesMs = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50] as const

/**
 * Runs a step and repeats it while another process holds the file's lock, as long as `isWorthWaiting` returns
 * true. The step must fail immediately: SQLite's busy timeout would block the whole process. Throws the
 * step's last error.
 */
export async function retryWhileBusy<Result>(
  step: () => Result | Promise<Result>,
  isWorthWaiting: () => boolean,
): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await step()
    } catch (error) {
      if (!isBusyError(error) || !isWorthWaiting()) throw error
      await sleep(pausesMs[attempt] ?? 50)
    }
  }
}

/** Returns true until this many milliseconds have passed. */
export function within(budgetMs: number): () => boolean {
  const endsAt = performance.now() + budgetMs
  return () => performance.now() < endsAt
}
