import { mkdirSync } from 'node:fs'
import { minuteMs } from '#time/time-steps.ts'
import { ensureChromium } from './checks/ensure-chromium.ts'
import { listTestsOnPostgres } from './checks/postgres-tests.ts'
import { runStep, type Step } from './checks/step.ts'
import { format, lintStep, results, types, vitestStep } from './checks/steps.ts'
import { createTemporaryFolder } from './checks/temporary-folder.ts'
import { noTests, sumOf, summaryLine, type TestCounts } from './checks/test-counts.ts'
import { openTestPostgres, type TestPostgres } from './checks/test-postgres.ts'
import { parsePlaywrightReport } from './checks/test-reports.ts'

/**
 * `npm test`: every check of the project, on to the end even when one fails. Names of steps as arguments run
 * only those: `npm test -- lint types`. `npm test -- --long` runs the long ones besides.
 *
 * The last line is the result: `N passed, N failed`. A check that is no test suite counts as one test.
 */

const e2e: Step = {
  name: 'e2e',
  prepare: ensureChromium,
  command: ['playwright', 'test'],
  report: { path: `${results}/e2e.json`, parse: parsePlaywrightReport },
}

/** The suites that run on PostgreSQL a second time. */
const postgres = vitestStep('postgres', ['unit', 'integration'], listTestsOnPostgres())
const e2eOnPostgres: Step = {
  name: 'e2e-pg',
  prepare: ensureChromium,
  command: ['playwright', 'test', '--grep', '@postgres'],
  report: { path: `${results}/e2e-postgres.json`, parse: parsePlaywrightReport },
}
const onPostgres = new Set([postgres, e2eOnPostgres])

const build: Step = { name: 'build', command: ['node', 'bin/setup.mjs', 'build'] }

/** Steps that run one after another; in the place of a step, lanes that run at the same time. */
type Lane = readonly (Step | readonly Lane[])[]

/** One stage after another; the lanes of a stage run at the same time. */
const stages: readonly (readonly Lane[])[] = [
  [[format, lintStep()], [types, { name: 'unused', command: ['knip', '--no-progress'] }], [build]],
  [
    [
      // Two workers, and next to them one suite that waits for a part of its time: for a server to start or
      // to end, for packages. A third lane would leave nothing idle either, but pages and servers too late.
      e2e,
      [[e2eOnPostgres, postgres], [{ ...vitestStep('unit', ['unit', 'integration']), isPatient: true }]],
    ],
    [
      { ...vitestStep('faults', ['faults']), needsDisk: true },
      // The first time it installs packages and builds applications, into .recipes.
      { ...vitestStep('recipes', ['recipes']), prepare: ensureChromium },
    ],
  ],
]

/** The suite that takes longer than all others together. */
const longStages: readonly (readonly Lane[])[] = [
  [[{ ...vitestStep('slow', ['slow-faults']), timeoutMs: 60 * minuteMs, needsDisk: true }]],
]

async function main(args: string[]): Promise<number> {
  const names = args.filter((name) => name !== '--long')
  const allStages = [...stages, ...longStages]
  const known = allStages.flatMap(stepsOf).map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`No such step: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
    return 2
  }
  mkdirSync(results, { recursive: true })
  const offered = args.includes('--long') || names.length > 0 ? allStages : stages
  const temporary = createTemporaryFolder()
  const isChosen = ({ name }: Step) => names.length === 0 || names.includes(name)
  const needsServer = offered.flatMap(stepsOf).some((step) => isChosen(step) && onPostgres.has(step))
  let server: TestPostgres | undefined
  try {
    if (needsServer) server = await openTestPostgres(temporary.path)
    if (needsServer && server === undefined) console.log('skipped: no PostgreSQL (see CONTRIBUTING.md)')
    const run = (step: Step): Promise<TestCounts> => {
      if (!isChosen(step) || (onPostgres.has(step) && server === undefined)) return Promise.resolve(noTests)
      return runStep({
        ...step,
        env: {
          ...(!step.needsDisk && { TMPDIR: temporary.path }),
          ...(server && onPostgres.has(step) && { CULVERT_TEST_POSTGRES: server.url }),
        },
      })
    }
    let total = noTests
    for (const stage of offered) total = sumOf(total, await runLanes(stage, run))
    console.log(summaryLine(total))
    return total.failed === 0 ? 0 : 1
  } finally {
    await server?.stop()
    temporary.remove()
  }
}

function stepsOf(lanes: readonly Lane[]): Step[] {
  return lanes.flat().flatMap((part) => ('name' in part ? [part] : stepsOf(part)))
}

type Run = (step: Step) => Promise<TestCounts>

async function runLanes(lanes: readonly Lane[], run: Run): Promise<TestCounts> {
  const counts = await Promise.all(lanes.map((lane) => runLane(lane, run)))
  return counts.reduce(sumOf, noTests)
}

async function runLane(lane: Lane, run: Run): Promise<TestCounts> {
  let total = noTests
  for (const part of lane) total = sumOf(total, await ('name' in part ? run(part) : runLanes(part, run)))
  return total
}

process.exitCode = await main(process.argv.slice(2))
