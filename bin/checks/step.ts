import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { delimiter, resolve as resolvePath } from 'node:path'
import { minuteMs } from '#time/time-steps.ts'
import { countsOf, noTests, summaryLine, type TestCounts } from './test-counts.ts'

/** A step of `npm test`. */
export interface Step {
  name: string
  /** A program in node_modules/.bin or on the PATH, and its arguments. */
  command: string[]
  /** Prepares the step. Throws an Error that names what is missing. */
  prepare?: () => Promise<void>
  /** The report of a test suite. Without it the step counts as one test, which passes with exit code 0. */
  report?: { path: string; parse: (report: unknown) => TestCounts | undefined }
  /** Default: half an hour. */
  timeoutMs?: number
  /** Variables of the environment. */
  env?: Record<string, string>
  /** True: its temporary files must be on a disk. */
  needsDisk?: boolean
}

interface Ending {
  exitCode: number
  /** stdout and stderr. */
  output: string
}

/** Default timeout of a step. */
const stepTimeoutMs = 30 * minuteMs

/** Runs a step and prints its result on one line, after its output if a test failed. */
export async function runStep(step: Step): Promise<TestCounts> {
  const startedAt = performance.now()
  if (step.report !== undefined) rmSync(step.report.path, { force: true })
  const { exitCode, output } = await runPrepared(step)
  const counts =
    step.report === undefined ? countOfCheck(exitCode) : countsOf(exitCode, readReport(step.report))
  if (counts.failed > 0) console.log(`\n${output.trimEnd()}\n`)
  console.log(stepLine(step, counts, performance.now() - startedAt))
  for (const line of skippedLines(output)) console.log(`       ${line}`)
  return counts
}

/** The reasons of skipped tests in a suite's output, without duplicates. */
function skippedLines(output: string): Set<string> {
  return new Set(output.match(/^skipped: .*$/gm))
}

async function runPrepared(step: Step): Promise<Ending> {
  try {
    await step.prepare?.()
  } catch (error) {
    return { exitCode: 1, output: error instanceof Error ? error.message : String(error) }
  }
  return run(step)
}

function countOfCheck(exitCode: number): TestCounts {
  return exitCode === 0 ? { ...noTests, passed: 1 } : { ...noTests, failed: 1 }
}

function stepLine({ name, report }: Step, counts: TestCounts, elapsedMs: number): string {
  const mark = counts.failed === 0 ? 'ok    ' : 'FAILED'
  const seconds = `${(elapsedMs / 1000).toFixed(1)} s`.padStart(8)
  return `${mark} ${name.padEnd(8)}${seconds}${report === undefined ? '' : `   ${summaryLine(counts)}`}`
}

function run({ command, timeoutMs = stepTimeoutMs, env }: Step): Promise<Ending> {
  const [program = '', ...args] = command
  const path = [resolvePath('node_modules/.bin'), process.env['PATH']].join(delimiter)
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env, PATH: path, NO_COLOR: '1', FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    })
    let output = ''
    const keep = (chunk: string): void => {
      output += chunk
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.on('error', (error) => resolve({ exitCode: 1, output: error.message }))
    child.on('close', (code, signal) => {
      if (signal !== null) output += `\nEnded by ${signal} after at most ${timeoutMs / 60_000} minutes.`
      resolve({ exitCode: code ?? 1, output })
    })
  })
}

function readReport({ path, parse }: NonNullable<Step['report']>): TestCounts | undefined {
  try {
    return parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
