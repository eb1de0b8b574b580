import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseManifest } from './manifest.ts'
import { findInlineMap, findMapReference } from './map-reference.ts'

const files = {
  'files/_/_/app.js': {
    type: 'minified_source',
    url: '~/app.js',
    headers: { 'Debug-Id': 'c959ba20-84b3-55c7-9999-3bab49a6300c', Sourcemap: 'app.js.map' },
  },
}

describe('a manifest', () => {
  it('lists its files with headers in any case', () => {
    expect(parseManifest(JSON.stringify({ files, release: 'shop@1', dist: '7' }))).toEqual({
      ok: true,
      manifest: {
        release: 'shop@1',
        dist: '7',
        files: [
          {
            path: 'files/_/_/app.js',
            kind: 'minified_source',
            url: '~/app.js',
            debugId: 'c959ba2084b355c799993bab49a6300c',
            sourceMapUrl: 'app.js.map',
          },
        ],
      },
    })
  })

  it('ignores a debug id that is not a UUID', () => {
    const file = { type: 'source_map', url: '~/a.map', headers: { 'debug-id': '../../../etc' } }
    expect(parseManifest(JSON.stringify({ files: { a: file } }))).toMatchObject({
      manifest: { files: [{ path: 'a', kind: 'source_map', url: '~/a.map' }] },
    })
  })

  it('never throws, and lists no file that cannot be found', () => {
    const name = fc.constantFrom('files', 'url', 'type', 'headers', 'debug-id', '__proto__', 'a')
    const property = fc.property(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.dictionary(name, fc.anything()).map((value) => JSON.stringify(value)),
      ),
      (text) => {
        const result = parseManifest(text)
        return (
          !result.ok || result.manifest.files.every(({ url, debugId }) => url !== '' || debugId !== undefined)
        )
      },
    )
    expect(() => fc.assert(property)).not.toThrow()
  })
})

describe('minified code', () => {
  it('refers to its source map at its end', () => {
    expect(findMapReference(Buffer.from('a()\n//# sourceMappingURL=a.js.map\n'))).toBe('a.js.map')
    expect(findMapReference(Buffer.from('a("//# sourceMappingURL=b.map")\n'))).toBeUndefined()
    expect(findMapReference(Buffer.from(''))).toBeUndefined()
  })

  it('may contain the source map itself', () => {
    const code = `a()\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${btoa('{"version":3}')}\n`
    expect(findInlineMap(Buffer.from(code))?.toString()).toBe('{"version":3}')
    expect(findInlineMap(Buffer.from('//# sourceMappingURL=data:application/json'))).toBeUndefined()
    expect(findInlineMap(Buffer.from('//# sourceMappingURL=a.map'))).toBeUndefined()
  })
})
