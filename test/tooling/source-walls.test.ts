import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

function listSources(...patterns: string[]): string[] {
  return execFileSync('git', ['ls-files', '--', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))
}

/** The lines of the files that match, as `file:line`. */
function findLines(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
  )
}

describe('minutes, hours and days in milliseconds', () => {
  const ownLength =
    /\b(?:86_?400_?000|3_?600_?000)\b|\* ?60_?000\b|\b60 \* 1_?000\b|const (?:minute|hour|day)Ms\b|(\w+) - \(\1 % /
  // The protocol imports nothing from other folders.
  const files = listSources('src/*.ts', 'src/*.tsx', 'bin/*.ts', 'bench/*.ts', 'test/*.ts').filter(
    (file) => !/^(?:src\/time\/time-steps\.ts|src\/protocol\/.*|test\/tooling\/.*)$/.test(file),
  )

  it('are declared in src/time/time-steps.ts only', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(findLines(files, ownLength)).toEqual([])
  })

  it.each([
    'const hourMs = 1',
    '24 * 60 * 60 * 1000',
    '5 * 60_000',
    'since: 86_400_000',
    'now - (now % step)',
  ])('are found: %s', (line) => {
    expect(line).toMatch(ownLength)
  })
})
