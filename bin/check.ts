import { mkdirSync } from 'node:fs'
import { findBase, listChangedTests } from './checks/changed-tests.ts'
import { runStep } from './checks/step.ts'
import { format, lint, results, types, vitestStep } from './checks/steps.ts'
import { noTests, sumOf, summaryLine } from './checks/test-counts.ts'

/**
 * `npm run check`: format, lint, types, and the tests of files changed since the branch forked from `main`
 * (on `main`: since the last commit). An argument sets another base: `npm run check -- HEAD~3`. The last line
 * is the result, as with `npm test`.
 */
async function main([since = findBase()]: string[]): Promise<number> {
  mkdirSync(results, { recursive: true })
  const tests = listChangedTests(since)
  const changed = tests.length === 0 ? [] : [vitestStep('changed', ['unit', 'integration'], tests)]
  let total = noTests
  for (const step of [format, lint, types, ...changed]) total = sumOf(total, await runStep(step))
  console.log(summaryLine(total))
  return total.failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
