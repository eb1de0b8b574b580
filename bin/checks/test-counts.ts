/** Test counts by result. */
export interface TestCounts {
  passed: number
  failed: number
  skipped: number
}

export const noTests: TestCounts = { passed: 0, failed: 0, skipped: 0 }

/** Adds two counts. */
export function sumOf(one: TestCounts, other: TestCounts): TestCounts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  }
}

/** `12 passed, 0 failed`, with `, 3 skipped` if there are any. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  const counts = `${passed} passed, ${failed} failed`
  return skipped === 0 ? counts : `${counts}, ${skipped} skipped`
}

/**
 * The counts of a step. A suite without a readable report crashed and counts one failure. So does a suite
 * that exits with an error although all its tests passed: an error outside tests, or no tests.
 */
export function countsOf(exitCode: number, reported: TestCounts | undefined): TestCounts {
  const counts = reported ?? noTests
  const isUnexplained = (exitCode !== 0 || reported === undefined) && counts.failed === 0
  return isUnexplained ? { ...counts, failed: 1 } : counts
}
