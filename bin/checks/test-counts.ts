/** How many tests ended how. */
export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

export const noTests: TestCounts = { passed: 0, failed: 0, skipped: 0 }

/** Adds the counts of two runs. */
export function sumOf(one: TestCounts, other: TestCounts): TestCounts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** `12 passed, 0 failed`; `, 3 skipped` only where some were. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  const counts = `${passed} passed, ${failed} failed`
  return skipped === 0 ? counts : `${counts}, ${skipped} skipped`
}

/**
 * What a step counts as. A suite without a readable report crashed: one failure, whatever it had done before.
 * A suite that ends badly although every test passed (an error between tests, no test at all) counts one
 * failure too.
 */
export function countsOf(exitCode: number, reported: TestCounts | undefined): TestCounts {
  const counts = reported ?? noTests
  const isUnexplained = (exitCode !== 0 || reported === undefined) && counts.failed === 0
  return isUnexplained ? { ...counts, failed: 1 } : counts
}
