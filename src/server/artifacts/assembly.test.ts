import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { artifactBundleId, hasArtifactBundle } from '#server/store/artifacts/bundles.ts'
import { recordArtifactChunk } from '#server/store/artifacts/chunks.ts'
import { listUploads } from '#server/store/artifacts/list.ts'
import { openTestStore } from '#test/test-store.ts'
import { zipOf } from '#test/zip-archive.ts'
import { createAssembly } from './assembly.ts'

const atOnce = () => Promise.resolve()

it('reports an upload that cannot be assembled once, in any process', async () => {
  const store = await openTestStore()
  const data = Buffer.from('no archive')
  const checksum = createHash('sha1').update(data).digest()
  const chunk = { checksum: checksum.toString('hex'), byteCount: data.byteLength }
  const name = { organizationId: 1, projectIds: [1], checksum: chunk.checksum, release: '', dist: '' }
  const upload = { ...name, chunks: [chunk] }
  const failure = { ok: false, problem: expect.any(String) as string }

  // A request does not wait: the client has to poll, and reaches another process.
  await recordArtifactChunk(store, 1, { checksum, data })
  expect(await createAssembly(store, atOnce, atOnce).begin(upload)).toBe('assembling')
  const other = createAssembly(await store.openAgain(), atOnce)
  expect(other.find(name)).toBeUndefined()
  await expect.poll(() => other.findFailed(name)).toEqual(failure)
  expect(await other.findFailed(name)).toBeUndefined()

  // A request that waits for the result gets it. The next one sends the chunks again.
  await recordArtifactChunk(store, 1, { checksum, data })
  expect(await other.begin(upload)).toEqual(failure)
  expect([other.find(name), await other.findFailed(name)]).toEqual([undefined, undefined])
})

it('finds an upload whose release is only in its manifest by its request, in any process', async () => {
  const store = await openTestStore()
  const manifest = { files: {}, release: 'shop@1.0.0', dist: 'web' }
  const data = zipOf([{ name: 'manifest.json', data: Buffer.from(JSON.stringify(manifest)) }])
  const checksum = createHash('sha1').update(data).digest()
  const chunk = { checksum: checksum.toString('hex'), byteCount: data.byteLength }
  const name = { organizationId: 1, projectIds: [1], checksum: chunk.checksum, release: '', dist: '' }
  await recordArtifactChunk(store, 1, { checksum, data })
  expect(await createAssembly(store, atOnce).begin({ ...name, chunks: [chunk] })).toEqual({ ok: true })

  const { db } = await store.openAgain()
  const key = { projectId: 1, bundleId: artifactBundleId({ ...name, projectId: 1 }) }
  expect(await hasArtifactBundle(db, key)).toBe(true)
  expect(await listUploads(db, { projectId: 1, release: 'shop@1.0.0' })).toMatchObject([{ dist: 'web' }])
})
