import { zstdCompressSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import {
  completeArtifactBundle,
  recordArtifactBundle,
  recordArtifactFile,
} from '#server/store/artifacts/bundles.ts'
import type { Store } from '#server/store/store.ts'
import { openTestStore, testId } from '#test/test-store.ts'
import { createDirectMapReader } from './direct-map-reader.ts'
import type { FileQuestion } from './map-question.ts'
import { createThreadMapReader } from './map-thread/thread-map-reader.ts'

/** A map whose first location is in this source. */
function mapOf(source: string): Buffer {
  return Buffer.from(JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA' }))
}

async function upload(
  store: Store,
  { release, source, debugId }: { release: string; source: string; debugId?: string },
): Promise<void> {
  const checksum = testId(source).padEnd(40, '0')
  const key = await recordArtifactBundle(store, { projectId: 1, checksum, release, dist: '' })
  const map = mapOf(source)
  const code = { number: 1, kind: 'minified_source', url: '~/app.js', sourceMapUrl: 'maps/app.js.map' }
  await recordArtifactFile(store, key, { ...code, byteCount: 1 })
  const file = { number: 2, kind: 'source_map', url: '~/maps/app.js.map', debugId, byteCount: map.byteLength }
  await recordArtifactFile(store, key, { ...file, data: zstdCompressSync(map) })
  await completeArtifactBundle(store, key, { fileCount: 2, storedBytes: map.byteLength })
}

const log = { warn: (fields: object) => expect.fail(JSON.stringify(fields)) }

it.each([
  ['on the calling thread', createDirectMapReader],
  ['in a thread', (store: Store) => createThreadMapReader(store, log)],
])('finds maps by debug id, and by release and reference, %s', async (_place, createReader) => {
  const store = await openTestStore()
  await upload(store, { release: 'web@1', source: 'one.ts', debugId: testId('one.ts') })
  await upload(store, { release: 'web@2', source: 'two.ts', debugId: testId('two.ts') })
  await upload(store, { release: 'web@4', source: 'four.ts' })
  const reader = createReader(store)
  onTestFinished(() => reader.close())
  const file: FileQuestion = { path: 'https://example.com/app.js', locations: [[1, 1]], isBuilt: true }
  const sourceOf = async (release: string, debugId?: string) => {
    const [answer] = await reader.ask({ projectId: 1, release, files: [{ ...file, debugId }] })
    return answer?.ok === true ? answer.locations[0]?.source : answer?.problem
  }
  expect(await sourceOf('web@1')).toBe('one.ts')
  expect(await sourceOf('web@2')).toBe('two.ts')
  expect(await sourceOf('web@3')).toBe('missing')
  expect(await sourceOf('web@3', testId('two.ts'))).toBe('two.ts')
  expect(await sourceOf('web@4', testId('two.ts'))).toBe('two.ts')
  expect(await sourceOf('web@4', testId('three.ts'))).toBe('four.ts')
  expect(await sourceOf('web@1', testId('three.ts'))).toBe('missing')
})
