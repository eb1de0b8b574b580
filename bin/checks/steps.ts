import type { Step } from './step.ts'
import { parseVitestReport } from './test-reports.ts'

/** Folder of the suites' reports. */
export const results = 'test-results'

export const format: Step = { name: 'format', command: ['oxfmt', '--check'] }

/** Lints files, by default all. Files without rules are skipped. */
export function lintStep(files: string[] = []): Step {
  return { name: 'lint', command: ['oxlint', '--no-error-on-unmatched-pattern', ...files] }
}

/** Each checker builds the types of libraries again, so two use half the CPU time of the default four. */
export const types: Step = { name: 'types', command: ['tsc', '--noEmit', '--checkers', '2'] }

/**
 * Runs projects of Vitest. `more` are parts of the paths of the tests to run, all by default, and options.
 */
export function vitestStep(name: string, projects: string[], more: string[] = []): Step {
  const path = `${results}/${name}.json`
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
  return {
    name,
    command: ['vitest', 'run', ...chosen, ...reporters, ...more],
    report: { path, parse: parseVitestReport },
  }
}
