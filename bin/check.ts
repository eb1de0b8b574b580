import { mkdirSync } from 'node:fs'
import { filesToLint, findBase, listChangedFiles, listChangedTests } from './checks/changed-tests.ts'
import { runStep, type Step } from './checks/step.ts'
import { format, lintStep, results, types, vitestStep } from './checks/steps.ts'
import { noTests, sumOf, summaryLine } from './checks/test-counts.ts'

/**
 * `npm run check`: checks format and types of everything, and lint and tests of the files changed since the
 * branch forked from `main` (on `main`: since the last commit), in parallel. An argument sets another base:
 * `npm run check -- HEAD~3`. The last line is the result, as with `npm test`.
 */
async function main([since = findBase()]: string[]): Promise<number> {
  mkdirSync(results, { recursive: true })
  const changed = listChangedFiles(since)
  const counts = await Promise.all([format, types, ...stepsOf(changed)].map(runStep))
  const total = counts.reduce(sumOf, noTests)
  console.log(summaryLine(total))
  return total.failed === 0 ? 0 : 1
}

/** The steps that check only changed files. */
function stepsOf(changed: string[]): Step[] {
  const files = filesToLint(changed)
  const tests = listChangedTests(changed)
  return [
    ...(files?.length === 0 ? [] : [lintStep(files)]),
    ...(tests.length === 0 ? [] : [vitestStep('changed', ['unit', 'integration'], tests)]),
  ]
}

process.exitCode = await main(process.argv.slice(2))
