import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { lintFiles } from '#test/lint-files.ts'
import { importTable, pathsOf, toRegex } from '../../bin/checks/import-config.ts'
import type { Layer } from '../../bin/checks/import-layer.ts'
import { layers } from '../../bin/checks/import-rules.ts'

const files = globSync('**/*.{ts,tsx}', { cwd: 'src' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.(gen\.ts|test\.tsx?)$/.test(path))

/** By glob: `matchesGlob` would parse the glob again for each file. */
const regexes = new Map<string, RegExp>()

function regexOf(glob: string): RegExp {
  const regex = regexes.get(glob) ?? new RegExp(toRegex(glob))
  regexes.set(glob, regex)
  return regex
}

const matches = (path: string, patterns: readonly string[]) =>
  patterns.some((each) => regexOf(each).test(path))
const isIn = (path: string, { files: own, except = [] }: Layer) =>
  matches(path, own) && !matches(path, except)

/** True if the table allows a file of a layer to import another file of `src`. */
function canImport(from: Layer, target: string, isType: boolean): boolean {
  const { name, may, types = [] } = from
  return [name, ...may, ...(isType ? types : [])].some((entry) => {
    const named = layers.find((layer) => layer.name === entry)
    return named === undefined ? matches(target, [entry]) : isIn(target, named)
  })
}

interface Import {
  target: string
  isType: boolean
}

/** The imports of a file whose targets are in `src`, as paths relative to `src`. */
function importsOf(file: string, text: string): Import[] {
  const { program, module } = parseSync(file, text)
  const found = module.staticImports.flatMap(({ moduleRequest: { value: path }, entries }) =>
    entries.length === 0 ? [{ path, isType: false }] : entries.map(({ isType }) => ({ path, isType })),
  )
  for (const { moduleRequest, isType } of module.staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest !== null) found.push({ path: moduleRequest.value, isType })
  }
  new Visitor({
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal') found.push({ path: String(source.value), isType: false })
    },
    TSImportType: ({ source }) => {
      found.push({ path: source.value, isType: true })
    },
  }).visit(program)
  return found.flatMap(({ path, isType }) => {
    const target = targetOf(file, path.replace(/\?.*$/, ''))
    return target === undefined ? [] : [{ target, isType }]
  })
}

function targetOf(file: string, path: string): string | undefined {
  if (path.startsWith('#')) return path.slice(1)
  if (!path.startsWith('.')) return undefined
  const src = pathToFileURL('/src/').href
  const { href } = new URL(path, new URL(file, src))
  return href.startsWith(src) ? fileURLToPath(href).slice('/src/'.length) : undefined
}

describe('the layers of src', () => {
  it('contain every file once', () => {
    const counts = files.map((path) => [path, layers.filter((layer) => isIn(path, layer)).length])
    expect(counts.filter(([, count]) => count !== 1)).toEqual([])
  })

  it.each(layers.map((layer, at) => ({ ...layer, at })))(
    '$name imports lower layers only',
    ({ may, types = [], at }) => {
      for (const entry of [...may, ...types]) {
        const named = layers.find(({ name }) => name === entry)
        const found = files.filter((path) =>
          named === undefined ? matches(path, pathsOf(entry)) : isIn(path, named),
        )
        expect(found.length > 0 || named?.name === 'styles', `${entry} names files`).toBe(true)
        const higher = found.filter((path) => layers.findIndex((layer) => isIn(path, layer)) >= at)
        expect(higher).toEqual([])
      }
    },
  )

  it('allow every import of src', () => {
    const found = files.flatMap((file) =>
      importsOf(file, readFileSync(`src/${file}`, 'utf8')).map(({ target, isType }) => ({
        file,
        target,
        isType,
      })),
    )
    expect(found.length).toBeGreaterThan(4_000)
    const wrong = found.filter(({ file, target, isType }) => {
      const from = layers.find((layer) => isIn(file, layer))
      return from === undefined || !canImport(from, target, isType)
    })
    expect(wrong).toEqual([])
  })

  it.each([
    { text: "import { a } from './b.ts'", target: 'queries/b.ts', isType: false },
    { text: "import '../styles/a.css?url'", target: 'styles/a.css', isType: false },
    { text: "import { type A } from '#time/a.ts'", target: 'time/a.ts', isType: true },
    { text: "import type { A } from '#time/a.ts'", target: 'time/a.ts', isType: true },
    { text: "export * from '#time/a.ts'", target: 'time/a.ts', isType: false },
    { text: "export type { A } from '#time/a.ts'", target: 'time/a.ts', isType: true },
    { text: "const a = await import('#time/a.ts')", target: 'time/a.ts', isType: false },
    { text: "type A = typeof import('#time/a.ts')", target: 'time/a.ts', isType: true },
  ])('are checked for $text', ({ text, target, isType }) => {
    expect(importsOf('queries/a.ts', text)).toEqual([{ target, isType }])
  })

  it('are the same for the linter, for each layer and each kind of file', { timeout: 60_000 }, () => {
    const entries = [...new Set(layers.flatMap(({ name, may, types = [] }) => [name, ...may, ...types]))]
    const kindOf = (path: string) => {
      const own = layers.filter((layer) => isIn(path, layer)).map(({ name }) => name)
      return [...own, ...entries.filter((entry) => matches(path, pathsOf(entry)))].join()
    }
    const targets = [...Map.groupBy(files, kindOf).values()].flatMap((same) => same.slice(0, 1))
    expect(targets.length).toBeGreaterThan(30)
    const tried = layers.flatMap((from) => {
      const importer = files.find((path) => isIn(path, from))
      if (importer === undefined) return []
      return targets
        .flatMap((target) => [
          { from, target, isType: false },
          { from, target, isType: true },
        ])
        .map((each, index) => Object.assign(each, { place: `src/${importer}:${index + 1}` }))
    })
    const texts = Map.groupBy(tried, ({ place }) => place.replace(/:\d+$/, ''))
    const denied = new Set(
      lintFiles(
        new Map(
          [...texts].map(([file, lines]) => [
            file,
            lines
              .map(
                ({ target, isType }, index) =>
                  `import ${isType ? 'type ' : ''}{ a${index} } from '#${target}'\n`,
              )
              .join(''),
          ]),
        ),
      )
        .filter(({ rule }) => rule === 'eslint(no-restricted-imports)')
        .map(({ file, line }) => `${file}:${line}`),
    )
    const different = tried.filter(
      ({ from, target, isType, place }) => canImport(from, target, isType) === denied.has(place),
    )
    expect(
      different.map(({ from, target, isType }) => `${from.name} → ${target} ${isType ? '(type)' : ''}`),
    ).toEqual([])
  })

  it('match the same files as globs and as regular expressions', () => {
    const globs = [...new Set(layers.flatMap(({ name, may, types = [] }) => [name, ...may, ...types]))]
      .flatMap(pathsOf)
      .concat(layers.flatMap(({ except = [] }) => except))
    const different = globs.flatMap((glob) => {
      return files
        .filter((path) => regexOf(glob).test(path) !== matchesGlob(path, glob))
        .map((path) => `${glob}: ${path}`)
    })
    expect(different).toEqual([])
  })

  it('are the table in ARCHITECTURE.md: otherwise run npm run imports', () => {
    const [, table = ''] =
      /^\| folder[^\n]*\n\|[^\n]*\n((?:\|[^\n]*\n)+)/m.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? []
    const rows = table.trimEnd().split('\n')
    const cells = rows.map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
    expect(cells).toEqual(importTable())
  })
})
