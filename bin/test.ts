import { mkdirSync } from 'node:fs'
import { minuteMs } from '#time/time-steps.ts'
import { ensureChromium } from './checks/ensure-chromium.ts'
import { listTestsOnPostgres } from './checks/postgres-tests.ts'
import { shortRun } from './checks/short-run.ts'
import { runStep, type Step } from './checks/step.ts'
import { format, lintStep, results, types, vitestStep } from './checks/steps.ts'
import { createTemporaryFolder } from './checks/temporary-folder.ts'
import { noTests, sumOf, summaryLine, type TestCounts } from './checks/test-counts.ts'
import { openTestPostgres, type TestPostgres } from './checks/test-postgres.ts'
import { parsePlaywrightReport } from './checks/test-reports.ts'

/**
 * `npm test`: the checks of the project, on to the end even when one fails. Names of steps as arguments run
 * only those: `npm test -- lint types`. `npm test -- --full` runs their remaining tests, too, as CI does;
 * `npm test -- --long` also runs the slow fault tests.
 *
 * The last line is the result: `N passed, N failed`. A check that is not a test suite counts as one test.
 */

const e2e: Step = {
  name: 'e2e',
  prepare: ensureChromium,
  command: ['playwright', 'test'],
  report: { path: `${results}/e2e.json`, parse: parsePlaywrightReport },
}

/** The suites that run on PostgreSQL a second time. Their workers wait for the server half of the time. */
const postgres = vitestStep('postgres', ['unit', 'integration'], ['--maxWorkers=3', ...listTestsOnPostgres()])
const e2eOnPostgres: Step = {
  name: 'e2e-pg',
  prepare: ensureChromium,
  command: ['playwright', 'test', '--grep', '@postgres'],
  report: { path: `${results}/e2e-postgres.json`, parse: parsePlaywrightReport },
}
const onPostgres = new Set([postgres, e2eOnPostgres])

const unit = vitestStep('unit', ['unit', 'integration'])
const faults: Step = { ...vitestStep('faults', ['faults']), needsDisk: true }
/** The first time it installs packages and builds applications, into .recipes. */
const recipes: Step = { ...vitestStep('recipes', ['recipes']), prepare: ensureChromium }

/** Steps that run one after another. */
type Queue = Step[]

/** Queues that run at the same time. */
type Stage = Queue[]

const checks: Stage = [
  [format, lintStep()],
  [types, { name: 'unused', command: ['knip', '--no-progress'] }],
  [{ name: 'build', command: ['node', 'bin/setup.mjs', 'build'] }],
]

// Each queue waits for pages, servers, disks or packages at times: together they leave no core idle.
const suites: Stage = [[e2e, e2eOnPostgres], [faults, recipes], [unit], [postgres]]

/** Twice as many tests in a browser, which a fourth queue would make too slow for their time limits. */
const fullSuites: Stage = [[e2e], [faults, recipes, e2eOnPostgres], [unit, postgres]]

/** The suite that takes longer than all others together. */
const slow: Stage = [[{ ...vitestStep('slow', ['slow-faults']), timeoutMs: 60 * minuteMs, needsDisk: true }]]

/** Options of the command line. */
const options = new Set(['--full', '--long'])

async function main(args: string[]): Promise<number> {
  const names = args.filter((name) => !options.has(name))
  const isFull = args.some((name) => options.has(name))
  const stages = [checks, isFull ? fullSuites : suites]
  const known = [...stages, slow].flat(2).map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    console.error(`No such step: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
    return 2
  }
  mkdirSync(results, { recursive: true })
  const offered = args.includes('--long') || names.length > 0 ? [...stages, slow] : stages
  const temporary = createTemporaryFolder()
  const withVariables = (step: Step): Step => ({
    ...step,
    env: { ...step.env, ...(isFull ? {} : shortRun), ...(step.needsDisk ? {} : { TMPDIR: temporary.path }) },
  })
  const isChosen = ({ name }: Step) => names.length === 0 || names.includes(name)
  const chosen = offered.map((stage) => stage.map((queue) => queue.filter(isChosen)))
  const needsServer = chosen.flat(2).some((step) => onPostgres.has(step))
  let server: TestPostgres | undefined
  try {
    if (needsServer) server = await openTestPostgres(temporary.path)
    if (needsServer && server === undefined) console.log('skipped: no PostgreSQL (see CONTRIBUTING.md)')
    const runnable = chosen.map((stage) =>
      stage.map((queue) =>
        queue.flatMap((step) => (onPostgres.has(step) ? onServer(step, server) : [step])).map(withVariables),
      ),
    )
    const total = await runStages(runnable)
    console.log(summaryLine(total))
    return total.failed === 0 ? 0 : 1
  } finally {
    await server?.stop()
    temporary.remove()
  }
}

function onServer(step: Step, server: TestPostgres | undefined): Step[] {
  return server === undefined ? [] : [{ ...step, env: { CULVERT_TEST_POSTGRES: server.url } }]
}

async function runStages(chosen: Stage[]): Promise<TestCounts> {
  let total = noTests
  for (const stage of chosen) {
    for (const counts of await Promise.all(stage.map(runQueue))) total = sumOf(total, counts)
  }
  return total
}

async function runQueue(queue: Queue): Promise<TestCounts> {
  let total = noTests
  for (const step of queue) total = sumOf(total, await runStep(step))
  return total
}

process.exitCode = await main(process.argv.slice(2))
