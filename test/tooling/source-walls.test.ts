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

describe('the access rule', () => {
  const ownRule =
    /(?:from|join|selectFrom\(')\s*project_members\b(?<!delete from project_members)|\bhas_all_projects'?(?:, '| )=(?:', | )1\b/i
  const role = /'(?:viewer|member|admin|owner)'/
  const rule = 'src/server/store/accounts/access.ts'
  const files = listSources('src/server/*.ts', 'bin/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const storeFiles = files.filter((file) => file.startsWith('src/server/store/'))

  it('is written in one file', () => {
    expect(findLines([rule], ownRule).length).toBeGreaterThan(0)
    expect(
      findLines(
        files.filter((file) => file !== rule),
        ownRule,
      ),
    ).toEqual([])
  })

  it('takes its roles from auth/roles.ts: no query names one', () => {
    expect(storeFiles.length).toBeGreaterThan(100)
    expect(findLines(storeFiles, role)).toEqual([])
  })

  it.each([
    'and (m.has_all_projects = 1 or m.role in (1))',
    "is('m.has_all_projects', '=', 1),",
    'or exists (select 1 from project_members pm where',
    ".selectFrom('project_members as pm')",
  ])('finds a copy: %s', (line) => {
    expect(line).toMatch(ownRule)
  })

  it.each([".deleteFrom('project_members')", "m.role in ('viewer')"])(
    'is about access, not about writing it: %s',
    (line) => {
      expect(line).not.toMatch(ownRule)
    },
  )
})

describe('the folders of processing', () => {
  const state =
    /^(?:export )?(?:let |const \w+(?:: [^=]*)? = (?:new (?:Weak|Bounded)\w+|new (?:Map|Set)(?:<.*>)?\(\)))/
  const files = listSources(
    ...['normalize', 'scrub', 'group', 'filter', 'ingest'].map((folder) => `src/server/${folder}/*.ts`),
  ).filter((file) => !file.endsWith('.test.ts'))

  it('keep no state in their modules: a memory is created in services.ts and passed in', () => {
    expect(files.length).toBeGreaterThan(100)
    expect(findLines(files, state)).toEqual([])
  })

  it.each([
    'let count = 0',
    'export const known = new WeakMap<object, string>()',
    'const known: Map<string, number> = new Map()',
    'const known = new BoundedMap<string, number>(limits.x)',
    'const seen = new Set<string>()',
  ])('finds state: %s', (line) => {
    expect(line).toMatch(state)
  })

  it.each([
    "const names = new Set(['a'])",
    "const names: ReadonlyMap<string, string> = new Map([['a', 'b']])",
  ])('allows tables: %s', (line) => {
    expect(line).not.toMatch(state)
  })
})

describe('the write path', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const path = /<!-- write path -->(.*)<!-- end of write path -->/s.exec(page)?.[1] ?? ''
  const files = [...path.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file)

  it('passes at most 15 files from the socket to the commit, which ARCHITECTURE.md lists', () => {
    expect(files.length).toBeGreaterThan(10)
    expect(files.length).toBeLessThanOrEqual(15)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('is one function of at most 60 lines from an authorized envelope to its answer', () => {
    const source = readFileSync(join(root, 'src/server/ingest/ingest-envelope.ts'), 'utf8')
    const body = /^export async function ingestEnvelope\(.*?^\}$/ms.exec(source)?.[0] ?? ''
    expect(body).toContain('committer.commit(work)')
    expect(body.split('\n').length).toBeLessThanOrEqual(60)
  })
})

describe('the status of an issue', () => {
  const statusWrite =
    /\bUPDATE (?!issue_parts)\S+ SET status\b|\bstatus_changed_at = \?|updateTable\('issues'\)|(?:INSERT INTO|insertInto\(')\s*issue_activity\b/
  const writers = ['src/server/store/triage/transition-writer.ts', 'src/server/store/triage/activity.ts']

  it('and its activity are written in one place', () => {
    const files = listSources('src/server/*.ts', 'bin/*.ts').filter((file) => !file.endsWith('.test.ts'))
    const found = findLines(files, statusWrite).map((place) => place.replace(/:\d+$/, ''))
    expect([...new Set(found)].toSorted()).toEqual(writers.toSorted())
  })

  it.each([
    "`UPDATE ${table} SET status = 'unresolved', status_changed_at = ?,",
    ".updateTable('issues')",
    ".insertInto('issue_activity')",
  ])('is found elsewhere: %s', (line) => {
    expect(line).toMatch(statusWrite)
  })
})

describe('exported names', () => {
  const declaration =
    /^export (?:default )?(?:async )?(?:abstract )?(?:type|interface|class|const|let|function\*?) (\w+)/gm
  // A snippet is the text of a file of the reader's application.
  const files = listSources('src/*.ts', 'src/*.tsx').filter(
    (file) => !/\.test\.|^src\/routes\/|^src\/routeTree|snippets\.ts$/.test(file),
  )

  function findShared(sources: readonly { file: string; text: string }[]): string[] {
    const declared = sources.flatMap(({ file, text }) =>
      [...text.matchAll(declaration)].map(([, name = '']) => ({ file, name })),
    )
    return [...Map.groupBy(declared, ({ name }) => name)]
      .filter(([, places]) => new Set(places.map(({ file }) => file)).size > 1)
      .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)
  }

  it('are declared in one module each', () => {
    expect(files.length).toBeGreaterThan(500)
    const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    expect(findShared(sources)).toEqual([])
  })

  it('are found where two modules declare the same', () => {
    const text = 'export interface Issue {}\n'
    const other = 'export const issue = 1\n'
    expect(
      findShared([
        { file: 'a.ts', text },
        { file: 'b.ts', text },
        { file: 'c.ts', text: other },
      ]),
    ).toEqual(['Issue: a.ts, b.ts'])
  })
})
