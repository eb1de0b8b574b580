import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { readSourceMap } from './source-map.ts'

const cart = `export function totalOf(items) {
  return items.reduce((sum, item) => sum + item.price, 0)
}
const total = totalOf(cart)
`
const plain = {
  version: 3,
  sources: ['../../src/cart.ts'],
  sourcesContent: [cart],
  names: ['totalOf'],
  // Column 0 maps to line 1 of the source, column 10 to line 4, column 15.
  mappings: 'AAAA,UAGcA',
}

function mapOf(value: unknown) {
  const result = readSourceMap(typeof value === 'string' ? value : JSON.stringify(value))
  if (!result.ok) throw new Error(result.failure)
  return result.map
}

describe('a source map', () => {
  it('resolves a position to its source, its lines and the called function', () => {
    expect(mapOf(plain).find(1, 11)).toEqual({
      source: 'src/cart.ts',
      line: 4,
      column: 15,
      isLibrary: false,
      calleeName: 'totalOf',
      contextLine: 'const total = totalOf(cart)',
      preContext: cart.split('\n').slice(0, 3),
      postContext: [''],
    })
  })

  it.each([null, [], [null], 'x', 7, undefined])('needs no text of its sources: %j', (sourcesContent) => {
    const found = mapOf({ ...plain, sourcesContent }).find(1, 11)
    expect(found).toEqual({
      source: 'src/cart.ts',
      line: 4,
      column: 15,
      isLibrary: false,
      calleeName: 'totalOf',
    })
  })

  it('may consist of sections', () => {
    const sections = [
      { offset: { line: 0, column: 0 }, map: plain },
      { offset: { line: 2, column: 5 }, map: { ...plain, sources: ['b.ts'] } },
    ]
    const map = mapOf({ version: 3, sections })
    expect(map.find(1, 11)?.source).toBe('src/cart.ts')
    expect(map.find(3, 16)).toMatchObject({ source: 'b.ts', line: 4 })
  })

  it.each([
    ['a line it does not have', 1e9, 1],
    ['an absurd column', 1, Number.MAX_SAFE_INTEGER],
    ['a location before the first', 0, 0],
    ['no number', Number.NaN, Number.NaN],
  ])('does not throw for %s', (_name, line, column) => {
    expect(() => mapOf(plain).find(line, column)).not.toThrow()
  })

  it.each([
    'webpack://shop/./src/a.ts?1f2e',
    'webpack:///src/a.ts',
    'turbopack:///[project]/src/a.ts',
    'turbopack://[project]/src/a.ts',
    '../../src/a.ts',
    './src/a.ts',
    'src/a.ts',
  ])('normalizes %s to src/a.ts', (source) => {
    expect(mapOf({ ...plain, sources: [source] }).find(1, 1)?.source).toBe('src/a.ts')
  })

  it.each([
    '../node_modules/react/index.js',
    'webpack/bootstrap',
    'turbopack:///[turbopack]/browser/runtime/base/runtime-base.ts',
    '\0vite/preload-helper',
  ])('recognizes %j as a library', (source) => {
    expect(mapOf({ ...plain, sources: [source] }).find(1, 1)?.isLibrary).toBe(true)
  })
})

describe('an invalid source map', () => {
  const deep = Array.from({ length: 50 }).reduce<unknown>(
    (map) => ({ version: 3, sections: [{ offset: { line: 0, column: 0 }, map }] }),
    plain,
  )
  it.each([
    ['a text broken off', JSON.stringify(plain).slice(0, -20)],
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['another type', '[]'],
    ['no mappings', { version: 3, sources: [] }],
    ['sections in sections in sections', deep],
    [
      'a section that is a URL',
      { version: 3, sections: [{ offset: { line: 0, column: 0 }, url: 'http://10.0.0.1/' }] },
    ],
    [
      'a section below everything',
      { version: 3, sections: [{ offset: { line: 1e9, column: 0 }, map: plain }] },
    ],
    [
      'a section above everything',
      { version: 3, sections: [{ offset: { line: -1, column: 0 }, map: plain }] },
    ],
  ])('is rejected: %s', (_name, value) => {
    const result = readSourceMap(typeof value === 'string' ? value : JSON.stringify(value))
    expect(result).toEqual({ ok: false, failure: 'unreadable' })
  })

  it('is rejected before parsing when it would need too much memory', () => {
    const mappings = ';'.repeat(limits.sourceMapSegments + 1)
    expect(readSourceMap(JSON.stringify({ ...plain, mappings }))).toEqual({ ok: false, failure: 'too-large' })
  })

  it('never throws, at any position', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('__proto__', 'constructor', 'AAAA', ';;,,', '9999', 'zz!'),
    )
    const map = fc.record(
      {
        version: fc.anything(),
        mappings: fc.oneof(text, fc.anything()),
        sources: fc.oneof(fc.array(fc.option(text)), fc.anything()),
        sourcesContent: fc.oneof(fc.array(fc.option(text)), fc.anything()),
        names: fc.oneof(fc.array(text), fc.anything()),
        sourceRoot: fc.oneof(text, fc.anything()),
        ignoreList: fc.oneof(fc.array(fc.integer()), fc.anything()),
      },
      { requiredKeys: [] },
    )
    const property = fc.property(
      fc.oneof(map, fc.json()),
      fc.integer(),
      fc.integer(),
      (value, line, column) => {
        const result = readSourceMap(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
        if (result.ok) result.map.find(line, column)
      },
    )
    expect(() => fc.assert(property, { numRuns: 2_000 })).not.toThrow()
  })
})
