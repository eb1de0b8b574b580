import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import {
  completeArtifactBundle,
  deleteArtifactBundle,
  noteBundleUse,
  recordArtifactBundle,
  recordArtifactFile,
} from '#server/store/artifacts/bundles.ts'
import { recordArtifactChunk } from '#server/store/artifacts/chunks.ts'
import { openKeptStore } from '#test/kept-store.ts'

async function openStoreWithMaps() {
  const kept = await openKeptStore()
  const { store } = kept
  const upload = async (name: string, storedBytes = 3, isComplete = true) => {
    const checksum = Buffer.from(name.padEnd(20)).toString('hex')
    const key = await recordArtifactBundle(store, { projectId: 1, checksum, release: name, dist: '' })
    const data = Buffer.from('map')
    await recordArtifactFile(store, key, {
      number: 1,
      kind: 'source_map',
      url: '~/a.map',
      byteCount: 3,
      data,
    })
    if (isComplete) await completeArtifactBundle(store, key, { fileCount: 1, storedBytes })
    return key
  }
  const releases = () =>
    store.connection
      .prepare(
        `SELECT b.release FROM artifact_files f LEFT JOIN artifact_bundles b
         ON b.project_id = f.project_id AND b.id = f.bundle_id ORDER BY b.uploaded_at`,
      )
      .all()
      .map((row) => row['release'])
  return { ...kept, upload, releases }
}

describe('source maps', () => {
  it('are deleted with their files when they have not been used for long', async () => {
    const { store, setDaysAgo, upload, releases, retain } = await openStoreWithMaps()
    setDaysAgo(limits.artifactUnusedDays + 1)
    await upload('unused')
    const used = await upload('used')
    setDaysAgo(0)
    await noteBundleUse(store, [used])
    await upload('new')
    await retain()
    expect(releases()).toEqual(['used', 'new'])
  })

  it('are deleted oldest first when a project exceeds its limit', async () => {
    const { setDaysAgo, upload, releases, retain } = await openStoreWithMaps()
    for (const [days, name] of [
      [3, 'first'],
      [2, 'second'],
      [1, 'third'],
    ] as const) {
      setDaysAgo(days)
      await upload(name, Math.floor(limits.artifactBytesPerProject * 0.4))
    }
    setDaysAgo(0)
    await retain()
    expect(releases()).toEqual(['second', 'third'])
  })

  it('that a user deleted, and those of interrupted uploads, are removed from the disk', async () => {
    const { store, setDaysAgo, upload, releases, retain, count } = await openStoreWithMaps()
    setDaysAgo(2)
    const chunk = { checksum: Buffer.alloc(20, 1), data: Buffer.from('part') }
    await recordArtifactChunk(store, 1, chunk)
    await upload('broken off', 3, false)
    const deleted = await upload('deleted')
    setDaysAgo(0)
    await recordArtifactChunk(store, 1, { ...chunk, checksum: Buffer.alloc(20, 2) })
    await upload('under way', 3, false)
    expect(await deleteArtifactBundle(store, deleted)).toBe(true)
    expect(await deleteArtifactBundle(store, deleted)).toBe(false)
    await retain()
    expect(releases()).toEqual(['under way'])
    expect(count('artifact_chunks')).toBe(1)
  })
})
