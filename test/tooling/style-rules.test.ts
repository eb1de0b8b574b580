import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { lintFiles, type LintFinding } from '#test/lint-files.ts'
import { findFixedWaits, findRetries, findShadowedTimers } from '#test/source-finders.ts'
import { findSqlTexts } from '#test/sql-texts.ts'
import playwrightConfig from '../../playwright.config.ts'
import vitestConfig from '../../vitest.config.ts'

const statements = (count: number) => Array.from({ length: count }, (_, index) => `  f(${index})`).join('\n')
const functionOf = (lines: number) =>
  `export function g(f: (n: number) => void): void {\n${statements(lines - 2)}\n}\n`

/** Code that STYLE.md forbids, each with the lint rule that must report it. */
const broken: Record<string, { rule: string; code: string }> = {
  'src/server/any.ts': { rule: 'typescript(no-explicit-any)', code: `export const a: any = 1\n` },
  'src/server/cast.ts': {
    rule: 'typescript(no-unsafe-type-assertion)',
    code: `export const toText = (value: unknown): string => value as string\n`,
  },
  'src/server/bang.ts': {
    rule: 'typescript(no-non-null-assertion)',
    code: `export const first = (list: string[]): string => list[0]!\n`,
  },
  'src/server/forgotten.ts': {
    rule: 'typescript(no-floating-promises)',
    code: `export function start(work: () => Promise<void>): void {\n  work()\n}\n`,
  },
  'src/server/switch.ts': {
    rule: 'typescript(switch-exhaustiveness-check)',
    code: `export function g(kind: 'a' | 'b'): number {\n  switch (kind) {\n    case 'a':\n      return 1\n  }\n  return 2\n}\n`,
  },
  'src/server/default.ts': { rule: 'import(no-default-export)', code: `export default 1\n` },
  'src/server/index.ts': { rule: 'oxc(no-barrel-file)', code: `export * from './any.ts'\n` },
  'src/server/CamelCase.ts': { rule: 'unicorn(filename-case)', code: `export const a = 1\n` },
  'src/server/many.ts': {
    rule: 'eslint(max-params)',
    code: `export const g = (a: number, b: number, c: number, d: number): number => a + b + c + d\n`,
  },
  'src/server/long-function.ts': { rule: 'eslint(max-lines-per-function)', code: functionOf(71) },
  'src/components/issue/long-component.tsx': {
    rule: 'eslint(max-lines-per-function)',
    code: functionOf(121),
  },
  'src/server/long-file.ts': {
    rule: 'eslint(max-lines)',
    code: `export const a = [\n${'  1,\n'.repeat(400)}]\n`,
  },
  'src/routes/long-route.ts': {
    rule: 'eslint(max-lines)',
    code: `export const a = [\n${'  1,\n'.repeat(100)}]\n`,
  },
  'src/server/environment.ts': {
    rule: 'node(no-process-env)',
    code: `export const port = process.env.PORT\n`,
  },
  'src/server/said.ts': { rule: 'eslint(no-console)', code: `console.log('here')\n` },
  'src/server/later.ts': {
    rule: 'eslint(no-warning-comments)',
    code: `// TODO: later\nexport const a = 1\n`,
  },
  'src/server/group/now.ts': {
    rule: 'eslint(no-restricted-properties)',
    code: `export const now = (): number => Date.now()\n`,
  },
  'src/server/normalize/random.ts': {
    rule: 'eslint(no-restricted-properties)',
    code: `export const roll = (): number => Math.random()\n`,
  },
  'src/components/issue/untyped-button.tsx': {
    rule: 'react(button-has-type)',
    code: `export function Save() {\n  return <button>Save</button>\n}\n`,
  },
  'src/components/issue/image.tsx': {
    rule: 'jsx-a11y(alt-text)',
    code: `export function Logo() {\n  return <img src="/logo.svg" />\n}\n`,
  },
  'src/components/issue/hook.tsx': {
    rule: 'react(hooks)',
    code: `import { useState } from 'react'\nexport function A({ on }: { on: boolean }) {\n  if (on) useState(1)\n  return null\n}\n`,
  },
  'src/server/mocked.test.ts': {
    rule: 'vitest(no-restricted-vi-methods)',
    code: `import { vi } from 'vitest'\nvi.mock('./any.ts')\n`,
  },
}

/** Code exactly at the limit, which must pass. */
const sound: Record<string, string> = {
  'src/server/function-at-limit.ts': functionOf(70),
  'src/components/issue/component-at-limit.tsx': functionOf(120),
  'src/server/three.ts': `export const g = (a: number, b: number, c: number): number => a + b + c\n`,
}

describe('the rules of STYLE.md as lint rules', { timeout: 30_000 }, () => {
  let findings: LintFinding[] = []

  beforeAll(() => {
    const files = new Map(Object.entries(sound))
    for (const [file, { code }] of Object.entries(broken)) files.set(file, code)
    findings = lintFiles(files)
  })

  it.each(Object.entries(broken))('%s is reported', (file, { rule }) => {
    expect(findings.filter((finding) => finding.file === file).map((finding) => finding.rule)).toContain(rule)
  })

  it.each(Object.keys(sound))('%s passes', (file) => {
    expect(findings.filter((finding) => finding.file === file)).toEqual([])
  })
})

const numberOf = (page: string) => page.slice(0, 4)

describe('the pages of docs/decisions', () => {
  const folder = join(import.meta.dirname, '../../docs/decisions')
  const pages = readdirSync(folder)

  it('have a unique number', () => {
    const doubled = pages.filter(
      (page) => pages.filter((other) => numberOf(other) === numberOf(page)).length > 1,
    )
    expect(doubled).toEqual([])
  })

  it.each(pages)('%s has its number in its heading, and refers to existing pages', (page) => {
    expect(page).toMatch(/^[0-9]{4}-[a-z0-9-]+\.md$/)
    const text = readFileSync(join(folder, page), 'utf8')
    expect(text).toMatch(new RegExp(`^# ${Number(numberOf(page))}\\. `))
    const missing = [...text.matchAll(/\]\(([0-9]{4}-[^)#]*)/g)].filter(
      ([, target = '']) => !pages.includes(target),
    )
    expect(missing).toEqual([])
  })
})

describe('the glossary', () => {
  const root = join(import.meta.dirname, '../..')
  const rows = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
    .split('\n')
    .filter((line) => /^\| [a-z]/i.test(line) && !line.startsWith('| term'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

  it('has at most 60 terms, in alphabetical order, each once', () => {
    const terms = rows.map(([, term = '']) => term)
    expect(terms.length).toBeGreaterThan(0)
    expect(terms.length).toBeLessThanOrEqual(60)
    expect(terms).toEqual([...new Set(terms)].toSorted())
  })

  /** The paths of a row that are not in the tree; a row without a path counts as one, too. */
  const missingOf = (cell: string) => {
    const places = [...cell.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place)
    return places.length === 0 ? [cell] : places.filter((place) => !existsSync(join(root, 'src', place)))
  }

  it.each(rows.map(([, term = '', , where = '']) => ({ term, where })))(
    'names a place in the tree for $term',
    ({ where }) => {
      expect(missingOf(where)).toEqual([])
    },
  )

  it.each(['', '``', 'server/store', '`server/nowhere`', '`server/store`, `server/nowhere`'])(
    'is wrong where a place is "%s"',
    (where) => {
      expect(missingOf(where)).toHaveLength(1)
    },
  )
})

describe('the tests', () => {
  const root = join(import.meta.dirname, '../..')
  /** Files with waits that are not pauses of test/support/waiting.ts, each with the reason. */
  const allowed: Record<string, string> = {
    'src/server/store/engine/postgres/server-clock.test.ts':
      'the latency of a server, with timers of the test',
  }
  const files = ['src', 'bin', 'bench', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.(?:test|spec)\.tsx?$|^test\/e2e\/support\//.test(file)),
  )

  it('wait for conditions, and never for a fixed time', () => {
    expect(files.length).toBeGreaterThan(500)
    const waits = files.flatMap((file) =>
      findFixedWaits(readFileSync(join(root, file), 'utf8')).map(({ line, text }) => ({ file, line, text })),
    )
    expect(waits.filter(({ file }) => !(file in allowed))).toEqual([])
    expect(new Set(waits.map(({ file }) => file))).toEqual(new Set(Object.keys(allowed)))
  })

  it.each([
    'await page.waitForTimeout(5)',
    'await new Promise((resolve) => setTimeout(resolve, 5))',
    'await new Promise((resolve) => {\n  setTimeout(() => resolve(1), 5)\n})',
    'await delay(5)',
    'await sleep(5)',
    "import { setTimeout as wait } from 'node:timers/promises'",
    "import { scheduler } from 'timers/promises'",
  ])('are found waiting: %s', (code) => {
    expect(findFixedWaits(code)).toHaveLength(1)
  })

  it.each([
    'test.setTimeout(90_000)',
    'setTimeout(() => child.kill(), 5)',
    'retries.delay(1)',
    "import { setImmediate as nextTick } from 'node:timers/promises'",
    "await page.waitForURL('/issues')",
  ])('may contain %s', (code) => {
    expect(findFixedWaits(code)).toEqual([])
  })
})

describe('a test that failed', () => {
  const root = join(import.meta.dirname, '../..')
  const files = ['src', 'bin', 'bench', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file))
      .map((file) => join(root, folder, file)),
  )

  it('is not repeated', () => {
    expect(files.length).toBeGreaterThan(300)
    const found = files.flatMap((file) =>
      findRetries(readFileSync(file, 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
    )
    expect(found).toEqual([])
  })

  it('is not repeated by a configuration', () => {
    expect(playwrightConfig.retries).toBe(0)
    const { projects = [], ...shared } = vitestConfig.test ?? {}
    expect(projects.length).toBeGreaterThan(3)
    expect(JSON.stringify([shared, projects])).not.toContain('"retry"')
  })

  it.each([
    `it('counts', { retry: 2 }, () => {})`,
    `test.describe.configure({ mode: 'serial', retries: 1 })`,
    `describe.for([1])('counts', { retry: { count: 2 } }, () => {})`,
  ])('is found where it is repeated: %s', (code) => {
    expect(findRetries(code)).toHaveLength(1)
  })

  it.each([`const visit = { retries: 2 }`, `open({ retry: 2 })`, `it('counts', { timeout: 2 }, () => {})`])(
    'may contain %s',
    (code) => {
      expect(findRetries(code)).toEqual([])
    },
  )
})

describe('timers of node:timers/promises', () => {
  const root = join(import.meta.dirname, '../..')
  const files = execFileSync('git', ['ls-files', 'src/*.ts', 'bin/*.ts', 'bench/*.ts', 'test/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)))

  it('have other names than the global functions', () => {
    expect(files.length).toBeGreaterThan(500)
    const found = files.flatMap((file) =>
      findShadowedTimers(readFileSync(join(root, file), 'utf8')).map(({ line }) => `${file}:${line}`),
    )
    expect(found).toEqual([])
  })

  it.each([
    ["import { setImmediate } from 'node:timers/promises'", 1],
    ["import { setImmediate as nextTick, setTimeout } from 'timers/promises'", 1],
    ["import { setImmediate as nextTick, setTimeout as delay } from 'node:timers/promises'", 0],
    ["import { setImmediate } from 'node:timers'", 0],
  ])('%s: %i found', (line, count) => {
    expect(findShadowedTimers(line)).toHaveLength(count)
  })
})

describe('the SQL of the source', () => {
  const root = join(import.meta.dirname, '../..')
  const mostLines = 60
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      findSqlTexts(readFileSync(join(root, 'src', file), 'utf8')).map((text) =>
        Object.assign(text, { file }),
      ),
    )

  it(`has no text of more than ${mostLines} lines`, () => {
    expect(texts.length).toBeGreaterThan(200)
    expect(texts.filter(({ lineCount }) => lineCount > mostLines)).toEqual([])
  })

  it('is measured with the templates within it, and without the text after it', () => {
    const nested = 'const a = sql<{ n: number }>`select ${f({ b: `x\n` })}\nfrom t`\nconst c = `\n\n\n`\n'
    expect(findSqlTexts(nested)).toEqual([{ line: 1, lineCount: 3 }])
    const long = `\ndb.prepare(\`select\n${'1,\n'.repeat(mostLines)}2\`)`
    expect(findSqlTexts(long)).toEqual([{ line: 2, lineCount: mostLines + 2 }])
  })
})

describe('comments', () => {
  const root = join(import.meta.dirname, '../..')
  const directive = /^\s*(?:\/\/|\{?\/\*+)\s*(?:oxlint-|@ts-|knip-)/

  /** The comment lines over 110 columns. A line that is one word cannot be shorter. */
  function listLongComments(file: string): string[] {
    let isInside = false
    return readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const isStart = /^\s*\{?\/\*/.test(line)
        const isComment = isInside || isStart || /^\s*\/\//.test(line)
        if (isStart || isInside) isInside = !line.includes('*/')
        const isLong = isComment && line.length > 110 && !directive.test(line) && / .* /.test(line.slice(60))
        return isLong ? [`${file}:${index + 1}`] : []
      })
  }

  it('have at most 110 columns', () => {
    const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.css'], {
      cwd: root,
      encoding: 'utf8',
    })
      .split('\n')
      .filter((file) => file !== '' && existsSync(join(root, file)) && !/fixtures\/|\.gen\./.test(file))
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap(listLongComments)).toEqual([])
  })
})
