import * as v from 'valibot'
import type { TestCounts } from './test-counts.ts'

const vitestReport = v.object({
  numPassedTests: v.number(),
  numFailedTests: v.number(),
  numPendingTests: v.number(),
  numTodoTests: v.number(),
  testResults: v.array(v.object({ status: v.string(), assertionResults: v.array(v.unknown()) })),
})

const playwrightReport = v.object({
  stats: v.object({ expected: v.number(), unexpected: v.number(), flaky: v.number(), skipped: v.number() }),
  errors: v.array(v.unknown()),
})

/** Parses Vitest's JSON report. A file that fails to load counts one failure. Undefined if invalid. */
export function parseVitestReport(report: unknown): TestCounts | undefined {
  const { success, output } = v.safeParse(vitestReport, report)
  if (!success) return undefined
  const brokenFiles = output.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: output.numPassedTests,
    failed: output.numFailedTests + brokenFiles.length,
    skipped: output.numPendingTests + output.numTodoTests,
  }
}

/**
 * Parses Playwright's JSON report. A file that fails to load and a flaky test are failures. Undefined if
 * invalid.
 */
export function parsePlaywrightReport(report: unknown): TestCounts | undefined {
  const { success, output } = v.safeParse(playwrightReport, report)
  if (!success) return undefined
  const { expected, unexpected, flaky, skipped } = output.stats
  return { passed: expected, failed: unexpected + flaky + output.errors.length, skipped }
}
