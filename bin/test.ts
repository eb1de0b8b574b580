import { mkdirSync } from 'node:fs'
import { ensureChromium } from './checks/ensure-chromium.ts'
import { runStep, type Step } from './checks/step.ts'
import { noTests, sumOf, summaryLine } from './checks/test-counts.ts'
import { parsePlaywrightReport, parseVitestReport } from './checks/test-reports.ts'

/**
 * `npm test`: every check of the project, on to the end even when one fails. Names of steps as arguments run only those:
 * `npm test -- lint types`.
 *
 * The last line is the result: `N passed, N failed`. A check that is no test suite counts as one test.
 */

const vitest = (...projects: string[]) => [
  'vitest',
  'run',
  ...projects.flatMap((name) => ['--project', name]),
]
const results = 'test-results'

/** One stage after another; the steps of a stage run at the same time. */
const stages: Step[][] = [
  [{ name: 'format', command: ['oxfmt', '--check'] }],
  [{ name: 'lint', command: ['oxlint'] }],
  // Each checker makes the libraries' types anew: two of them take half the CPU time of the four there are otherwise.
  [{ name: 'types', command: ['tsc', '--noEmit', '--checkers', '2'] }],
  [{ name: 'unused', command: ['knip', '--no-progress'] }],
  [{ name: 'build', command: ['node', 'bin/setup.mjs', 'build'] }],
  [
    {
      name: 'unit',
      command: [
        ...vitest('unit', 'integration'),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${results}/unit.json`,
      ],
      report: { path: `${results}/unit.json`, parse: parseVitestReport },
    },
    // They wait a third of their time: for a server to end, to start, to try once more.
    {
      name: 'faults',
      command: [
        ...vitest('faults'),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${results}/faults.json`,
      ],
      report: { path: `${results}/faults.json`, parse: parseVitestReport },
    },
  ],
  [
    {
      name: 'e2e',
      prepare: ensureChromium,
      command: ['playwright', 'test'],
      report: { path: `${results}/e2e.json`, parse: parsePlaywrightReport },
    },
  ],
]

async function main(names: string[]): Promise<number> {
  const known = stages.flat().map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`No such step: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
    return 2
  }
  mkdirSync(results, { recursive: true })
  let total = noTests
  for (const stage of stages) {
    const chosen = stage.filter(({ name }) => names.length === 0 || names.includes(name))
    for (const counts of await Promise.all(chosen.map(runStep))) total = sumOf(total, counts)
  }
  console.log(summaryLine(total))
  return total.failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
