import type { TestContext } from 'vitest'

/** Skips a test, and reports it in a line that `npm test` prints. */
export function skip(context: TestContext, reason: string): never {
  process.stdout.write(`skipped: ${reason}\n`)
  return context.skip(reason)
}
