import type { TestContext } from 'vitest'

/** Skips a test, and adds a line to the output of `npm test`. */
export function skip(context: TestContext, reason: string): never {
  process.stdout.write(`skipped: ${reason}\n`)
  return context.skip(reason)
}
