import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import * as v from 'valibot'

/** Rules apply to paths relative to the configuration, so the folder has its own. */
const config = `export { default } from ${JSON.stringify(resolve('oxlint.config.ts'))}\n`

const lintReport = v.object({
  diagnostics: v.array(
    v.object({
      code: v.string(),
      filename: v.string(),
      labels: v.array(v.object({ span: v.object({ line: v.number() }) })),
    }),
  ),
})

/** A finding of the linter. */
export interface LintFinding {
  file: string
  line: number
  /** `eslint(no-restricted-imports)` */
  rule: string
}

/** Lints the given files (path to text) with the project's rules, in a temporary folder. */
export function lintFiles(files: ReadonlyMap<string, string>): LintFinding[] {
  const folder = mkdtempSync(join(tmpdir(), 'culvert-lint-'))
  try {
    writeFileSync(join(folder, 'oxlint.config.ts'), config)
    copyFileSync('tsconfig.json', join(folder, 'tsconfig.json'))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    for (const [path, text] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return lint(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function lint(folder: string): LintFinding[] {
  const program = resolve('node_modules/.bin/oxlint')
  // Without a .gitignore the linter would lint the linked modules as sources.
  const args = ['--format=json', '--ignore-pattern=node_modules']
  const { stdout } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  const { diagnostics } = v.parse(lintReport, JSON.parse(stdout))
  return diagnostics.map(({ code, filename, labels }) => ({
    file: filename,
    line: labels[0]?.span.line ?? 0,
    rule: code,
  }))
}
