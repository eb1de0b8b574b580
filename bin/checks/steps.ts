import type { Step } from './step.ts'
import { parseVitestReport } from './test-reports.ts'

/** Where suites write their reports. */
export const results = 'test-results'

export const format: Step = { name: 'format', command: ['oxfmt', '--check'] }

export const lint: Step = { name: 'lint', command: ['oxlint'] }

/** Each checker builds the libraries' types again: two of them take half the CPU time of the default four. */
export const types: Step = { name: 'types', command: ['tsc', '--noEmit', '--checkers', '2'] }

/** Runs projects of Vitest; `files` are parts of the paths of the tests to run, all without. */
export function vitestStep(name: string, projects: string[], files: string[] = []): Step {
  const path = `${results}/${name}.json`
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
  return {
    name,
    command: ['vitest', 'run', ...chosen, ...reporters, ...files],
    report: { path, parse: parseVitestReport },
  }
}
