import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importConfig, importTable, pathsOf } from '../../bin/checks/import-config.ts'
import { layers, type Layer } from '../../bin/checks/import-rules.ts'

const files = globSync('**/*.{ts,tsx}', { cwd: 'src' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.(gen\.ts|test\.tsx?)$/.test(path))

const matches = (path: string, patterns: readonly string[]) =>
  patterns.some((each) => matchesGlob(path, each))
const isIn = (path: string, { files: own, except = [] }: Layer) =>
  matches(path, own) && !matches(path, except)

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

  it('are what the linter checks: else run npm run imports', () => {
    expect(JSON.parse(readFileSync('.oxlintrc.imports.json', 'utf8'))).toEqual(importConfig())
  })

  it('are the table in ARCHITECTURE.md: else run npm run imports', () => {
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
