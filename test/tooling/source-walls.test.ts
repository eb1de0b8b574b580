import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  findImpurity,
  findModuleState,
  findStatusWrites,
  findTimeSteps,
  type SourceFinding,
} from '#test/source-finders.ts'

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

/** The findings of a finder in files, as `file:line text`. */
function findIn(files: readonly string[], finder: (source: string) => SourceFinding[]): string[] {
  return files.flatMap((file) =>
    finder(readFileSync(join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  )
}

/** Files whose name repeats that of their folder, in the singular or the plural. */
function findRepeated(files: readonly string[]): string[] {
  return files.filter((file) => {
    const folder = basename(dirname(file))
    const singular = folder.replace(/ies$/, 'y').replace(/s$/, '')
    return [folder, singular].some((noun) => basename(file).startsWith(`${noun}-`))
  })
}

const isSource = (file: string) => !/\.(?:test\.tsx?|gen\.ts)$/.test(file)

describe('minutes, hours and days in milliseconds', () => {
  // The protocol imports nothing from other folders.
  const files = listSources('src/*.ts', 'src/*.tsx', 'bin/*.ts', 'bench/*.ts', 'test/*.ts').filter(
    (file) => !/^(?:src\/time\/time-steps\.ts|src\/protocol\/.*|test\/tooling\/.*)$/.test(file),
  )

  it('are declared in src/time/time-steps.ts only', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(findIn(files, findTimeSteps)).toEqual([])
  })

  it.each([
    'const hourMs = 1',
    'f(24 * 60 * 60 * 1000)',
    'f(24 * 3600 * 1000)',
    'f(1000 * 60 * 60)',
    'f(5 * 60_000)',
    'f(60_000 * 5)',
    'f(count * 60_000)',
    'f({ since: 86_400_000 })',
    'f(now - (now % step))',
    'f(Math.floor(at / step) * step)',
  ])('are found in: %s', (line) => {
    expect(findTimeSteps(line)).toHaveLength(1)
  })

  it.each(['f(10 * 1024 * 1024)', 'f(5 * 1000)', 'f(count * 1000)', 'f(now - start)'])(
    'are not found in: %s',
    (line) => {
      expect(findTimeSteps(line)).toEqual([])
    },
  )
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

describe('pure folders', () => {
  const folders = ['normalize', 'filter', 'scrub', 'group', 'rate-limit'].map((name) => `server/${name}/*.ts`)
  const isomorphic = ['protocol', 'time', 'search', 'alerts', 'monitors', 'traces', 'source-links'].map(
    (name) => `${name}/*.ts`,
  )
  const files = listSources(
    ...['monitoring/noise*.ts', ...isomorphic, ...folders].map((path) => `src/${path}`),
  ).filter(isSource)

  it('use neither clock nor randomness, timers, environment or network', () => {
    expect(files.length).toBeGreaterThan(150)
    expect(findIn(files, findImpurity)).toEqual([])
  })

  it.each([
    'f(new Date())',
    'f(Date())',
    'f(Date.now())',
    'f(Date.now)',
    'f(performance.now())',
    'f(Math.random())',
    'f(crypto.randomUUID())',
    'f(process.env)',
    'setTimeout(f, 1)',
    'setInterval(f, 1)',
    'setImmediate(f)',
    'queueMicrotask(f)',
    'f(globalThis.setTimeout)',
  ])('may not contain %s', (code) => {
    expect(findImpurity(code)).toHaveLength(1)
  })

  it.each(['f(new Date(0))', 'f(Date.parse(text))', 'f(Math.floor(1.5))'])('may contain %s', (code) => {
    expect(findImpurity(code)).toEqual([])
  })
})

describe('modules', () => {
  const tab = 'written in the browser only, where a module is the state of one tab'
  const byError = 'by error object: an error is captured once, wherever it is caught'
  /** All bindings of src that keep state from one call to the next, each with the reason why it stays. */
  const allowed: Record<string, string> = {
    'src/components/issue/stream/later-rows.tsx: seenRows': tab,
    'src/components/ui/time/browser-clock.ts: listeners': tab,
    'src/components/ui/time/browser-clock.ts: readAt': tab,
    'src/components/ui/time/browser-clock.ts: skewMs': tab,
    'src/components/ui/time/browser-clock.ts: timer': tab,
    'src/framework/hydration-gate.tsx: end': tab,
    'src/monitoring/browser.ts: digests': byError,
    'src/monitoring/browser.ts: pending': tab,
    'src/monitoring/browser.ts: send': tab,
    'src/monitoring/capture.server.ts: digests': byError,
    'src/monitoring/failure.ts: firstMetAt': byError,
    'src/monitors/slots.ts: parsedCrontabs': 'by text: equal crontabs are parsed once',
    'src/monitors/zone-offsets.ts: known': 'offsets of the platform, slow to compute',
    'src/navigation/connection.ts: offlineErrors': byError,
    'src/navigation/double-click.ts: listening': tab,
    'src/navigation/notices.ts: listeners': tab,
    'src/navigation/notices.ts: shown': tab,
    'src/navigation/own-changes.ts: updated': 'by object: page data has no room for a mark',
    'src/navigation/prefetch/speculation.ts: wantedBy':
      'by abort signal: the router passes nothing else to a loader',
    'src/queries/changes/changed-data.ts: ownChannel': tab,
    'src/queries/changes/order.ts: changed': tab,
    'src/queries/changes/order.ts: lastChanges': tab,
    'src/queries/changes/use-action.ts: sentCount': tab,
    'src/queries/changes/use-action.ts: underWay': tab,
    'src/queries/issues/list.ts: replacedLists': tab,
    'src/queries/page-data.ts: queryOf':
      'by object of data: a serialization adapter belongs to the process, not to a page',
    'src/queries/page-data.ts: received': tab,
    'src/queries/page-data.ts: scriptOf': 'by query client, which each page has its own of',
    'src/server.ts: watched': 'the services whose errors Start reports, without the front',
    'src/server/auth/password-strength.ts: estimator': 'the dictionaries, loaded once when first needed',
    'src/server/console/guides/guides.ts: guideList':
      'the headings of the guides, read once when first needed',
    'src/server/forms/posted-page.ts: posted':
      'by request: the router passes nothing from a post to its page',
    'src/server/store/engine/migrations.ts: ownMigrations': 'the files of the migrations, read once',
    'src/server/store/engine/postgres/connection-worker.ts: idle':
      'a thread, which starts slowly, for the next connection',
    'src/server/store/engine/sqlite/schema-shape.ts: ownShape': 'what the migrations make, once',
    'src/server/store/monitors/monitors.ts: parsedSettings': 'what JSON means, bounded',
    'src/server/store/monitors/queue.ts: lastNumber': 'the order of check-ins that one process received',
    'src/server/store/projects/ownership.ts: parsed': 'by the settings object, which is immutable',
    'src/server/store/projects/settings.ts: readDocuments': 'equal documents are one object, compiled once',
    'src/server/store/unreadable-rows.ts: noted': 'the rows that this process has logged, bounded',
    'src/server/store/unreadable-rows.ts: unlogged':
      'the rows that it will log, bounded: the functions that parse rows have no log',
    'src/server/timed-run.ts: bridge': "V8's context for time limits, emptied after each run",
    'src/time/time-zone.ts: validZones': 'the names of time zones, bounded',
    'src/time/time-zone.ts: formats': 'formats of the platform, slow to create',
  }
  const files = listSources('src/*.ts', 'src/*.tsx').filter(isSource)

  it('keep no state except the listed one: caches are created in services.ts and passed in', () => {
    expect(files.length).toBeGreaterThan(600)
    const found = files.flatMap((file) =>
      findModuleState(readFileSync(join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
    )
    expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted())
  })

  it.each([
    'let known = 0',
    'export let known = 0',
    'export const known = new WeakMap<object, string>()',
    'const known: Map<string, number> = new Map()',
    'const known = new BoundedMap<string, number>(limits.x)',
    'const known = new Set<string>()',
    'const known: string[] = []\nfunction f() { known.push(1) }',
    "const known = new Map([['a', 1]])\nconst f = () => known.set('b', 2)",
    'const known = { count: 0 }\nfunction f() { known.count += 1 }',
    'const known = { count: 0 }\nfunction f() { known.count++ }',
    'const known: Record<string, number> = {}\nclass A { b() { known.c = 1 } }',
  ])('have state: %s', (code) => {
    expect(findModuleState(code)).toEqual(['known'])
  })

  it.each([
    "const names = new Set(['a'])",
    "const names: ReadonlyMap<string, string> = new Map([['a', 'b']])",
    'const table = new Uint8Array(2)\ntable[0] = 1',
    'const word = /a/g\nfunction f() { word.lastIndex = 0 }',
    'function f() { const own = new Map(); own.set(1, 2) }',
  ])('have no state: %s', (code) => {
    expect(findModuleState(code)).toEqual([])
  })
})

describe('a folder', () => {
  const mostFiles = 25

  /** Folders with more source files than a list can show at a glance. */
  function findCrowded(files: readonly string[]): string[] {
    return [...Map.groupBy(files, (file) => dirname(file))]
      .filter(([, inFolder]) => inFolder.length > mostFiles)
      .map(([folder, inFolder]) => `${folder}: ${inFolder.length}`)
  }

  it(`has at most ${mostFiles} source files`, () => {
    const files = listSources('src', 'bin', 'bench', 'demo').filter(
      (file) => isSource(file) && /\.(?:tsx?|mjs|css)$/.test(file) && !file.includes('/fixtures/'),
    )
    expect(files.length).toBeGreaterThan(1_000)
    expect(findCrowded(files)).toEqual([])
  })

  it('is reported with one file more', () => {
    const files = Array.from({ length: mostFiles + 1 }, (_, number) => `src/a/${number}.ts`)
    expect(findCrowded([...files, 'src/b/0.ts'])).toEqual(['src/a: 26'])
  })

  it('of the store is not repeated in the names of its files', () => {
    const files = listSources('src/server/store/*.ts')
    expect(files.length).toBeGreaterThan(300)
    expect(findRepeated(files)).toEqual([])
  })

  it.each(['issues/issue-list.ts', 'copies/copy-sums.ts', 'search/search-plan.ts'])(
    'is repeated by %s',
    (file) => {
      expect(findRepeated([file])).toEqual([file])
    },
  )

  it.each(['issues/issues.ts', 'issues/list.ts', 'issues/issued.ts'])('is not repeated by %s', (file) => {
    expect(findRepeated([file])).toEqual([])
  })
})

describe('the write path', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const path = /<!-- write path -->(.*)<!-- end of write path -->/s.exec(page)?.[1] ?? ''
  const files = [...path.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file)

  /** Where a module gets the next one as an argument, the file that passes it. */
  const wiring: Record<string, string> = {
    'slice-queue.ts': 'src/server/services.ts',
    'counted-committer.ts': 'src/server/metrics/server-metrics.ts',
    'thread-committer.ts': 'bin/commands/start.ts',
  }

  it('passes at most 15 modules from the socket to the commit, which ARCHITECTURE.md lists', () => {
    expect(files.length).toBeGreaterThan(10)
    expect(files.length).toBeLessThanOrEqual(15)
    const unlinked = files.slice(1).filter((file, index) => {
      const name = basename(file)
      const caller = wiring[name] ?? files[index] ?? ''
      return !new RegExp(`['/]${RegExp.escape(name)}'`).test(readFileSync(join(root, caller), 'utf8'))
    })
    expect(unlinked).toEqual([])
  })

  it('is one function of at most 60 lines from an authorized envelope to its answer', () => {
    const source = readFileSync(join(root, 'src/server/ingest/ingest-envelope.ts'), 'utf8')
    const body = /^export async function ingestEnvelope\(.*?^\}$/ms.exec(source)?.[0] ?? ''
    expect(body).toContain('committer.commit(part)')
    expect(body.split('\n').length).toBeLessThanOrEqual(60)
  })
})

describe('the status of a request over a size limit', () => {
  it('is written in src/server/too-large.ts only', () => {
    const files = listSources('src/*.ts', 'src/*.tsx').filter(isSource)
    const found = findLines(files, /^(?!\s*(?:\/?\*|\/\/)).*\b413\b/)
    expect(found.map((line) => line.replace(/:\d+$/, ''))).toEqual(['src/server/too-large.ts'])
  })
})

describe('the status of an issue', () => {
  const writers = ['src/server/store/triage/transition-writer.ts', 'src/server/store/triage/activity.ts']

  it('and its activity are written in one place', () => {
    const files = listSources('src/server/*.ts', 'bin/*.ts').filter((file) => !file.endsWith('.test.ts'))
    const found = files.filter((file) => findStatusWrites(readFileSync(join(root, file), 'utf8')).length > 0)
    expect([...new Set(found)].toSorted()).toEqual(writers.toSorted())
  })

  it.each([
    "`UPDATE ${table} SET status = 'unresolved', status_changed_at = ?,",
    ".updateTable('issues')",
    ".insertInto('issue_activity')",
    "`update issues set status = 'resolved'`",
    '`UPDATE issues\n  SET assignee_id = ?,\n    status = ?\n  WHERE id = ?`',
    ".updateTable(table)\n  .set({ status: 'resolved' })",
    '.set({ at, status })',
    '`insert into\n issue_activity (kind)`',
  ])('is found elsewhere: %s', (code) => {
    expect(findStatusWrites(code).length).toBeGreaterThan(0)
  })

  it.each([
    "`UPDATE issues SET title = ? WHERE status = 'new'`",
    '`UPDATE issue_parts SET status = ?`',
    ".updateTable('alert_deliveries')\n  .set({ status: 'sent' })",
  ])('is not written by %s', (code) => {
    expect(findStatusWrites(code)).toEqual([])
  })
})

describe('exported names', () => {
  const declaration =
    /^export (?:default )?(?:async )?(?:abstract )?(?:type|interface|class|const|let|function\*?) (\w+)/gm
  // A snippet is the text of a file of the reader's application, and crumbs-app.ts holds one of a test's.
  const files = listSources('src/*.ts', 'src/*.tsx', 'bin/*.ts', 'test/support/*.ts').filter(
    (file) => !/\.test\.|^src\/routes\/|^src\/routeTree|snippets\.ts$|crumbs-app\.ts$/.test(file),
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
