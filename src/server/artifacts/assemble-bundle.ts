import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, type ZstdOptions } from 'node:zlib'
import { limits } from '#server/limits.ts'
import {
  completeArtifactBundle,
  recordArtifactBundle,
  recordArtifactFile,
  type ArtifactFileRecord,
} from '#server/store/artifacts/bundles.ts'
import { findArtifactChunk, type WaitingChunk } from '#server/store/artifacts/chunks.ts'
import { recordRelease } from '#server/store/releases/changes.ts'
import type { Store } from '#server/store/store.ts'
import { ArchiveError, openArchive, type Archive } from './archive.ts'
import type { ArchivePart } from './chunk-reader.ts'
import { parseManifest, type ManifestFile } from './manifest.ts'
import { findInlineMap, findMapReference } from './map-reference.ts'

/** An upload whose chunks have all arrived. */
export interface CompleteUpload {
  organizationId: number
  projectIds: readonly number[]
  /** SHA-1 of the archive, 40 lower-case hex digits. */
  checksum: string
  /** In the archive's order. */
  chunks: readonly WaitingChunk[]
  /** From the request; empty if only the manifest names it, or neither. */
  release: string
  dist: string
}

/** The result; `problem` is for the uploading client. */
export type AssembleResult = { ok: true } | { ok: false; problem: string }

/**
 * Assembles a bundle from the chunks of an upload in each of the projects: checks the archive against its
 * checksum, decompresses one file at a time and stores its source maps. Files of an interrupted assembly are
 * never found. Rejects if the store cannot be written.
 */
export async function assembleBundle(store: Store, upload: CompleteUpload): Promise<AssembleResult> {
  try {
    const parts = toParts(store, upload)
    await verifyChecksum(parts, upload.checksum)
    const archive = await openArchive(parts)
    const manifestBytes = await archive.read('manifest.json', limits.artifactManifestBytes)
    if (manifestBytes === undefined) return { ok: false, problem: 'the bundle has no manifest.json' }
    const parsed = parseManifest(manifestBytes.toString())
    if (!parsed.ok) return parsed
    const { files, release = '', dist = '' } = parsed.manifest
    const target = { release: upload.release || release, dist: upload.dist || dist }
    // Users look for their uploads on the release page.
    if (target.release !== '')
      await recordRelease(store, { version: target.release, projectIds: upload.projectIds })
    for (const projectId of upload.projectIds)
      await storeFiles(store, { archive, files, origin: { ...upload, projectId }, target })
    return { ok: true }
  } catch (thrown) {
    if (thrown instanceof ArchiveError) return { ok: false, problem: thrown.message }
    throw thrown
  }
}

function toParts({ db }: Store, { organizationId, chunks }: CompleteUpload): ArchivePart[] {
  return chunks.map(({ checksum, byteCount }) => ({
    byteCount,
    async read() {
      const bytes = await findArtifactChunk(db, organizationId, checksum)
      if (bytes === undefined) throw new ArchiveError('a chunk of the upload has expired: upload it again')
      return bytes
    },
  }))
}

async function verifyChecksum(parts: readonly ArchivePart[], checksum: string): Promise<void> {
  const sha1 = createHash('sha1')
  for (const part of parts) sha1.update(await part.read())
  if (sha1.digest('hex') !== checksum)
    throw new ArchiveError('the checksum is not that of the parts: upload the bundle again')
}

interface BundleFiles {
  archive: Archive
  files: readonly ManifestFile[]
  origin: Parameters<typeof recordArtifactBundle>[1]
  target: Parameters<typeof recordArtifactBundle>[2]
}

async function storeFiles(store: Store, { archive, files, origin, target }: BundleFiles): Promise<void> {
  const key = await recordArtifactBundle(store, origin, target)
  let [number, storedBytes] = [0, 0]
  for (const file of files) {
    const bytes = await archive.read(file.path, limits.artifactFileBytes)
    if (bytes === undefined) throw new ArchiveError(`the bundle lacks ${file.path.slice(0, 200)}`)
    for (const record of await toRecords(file, bytes)) {
      number += 1
      storedBytes += record.data?.byteLength ?? 0
      await recordArtifactFile(store, key, { ...record, number })
    }
  }
  if (storedBytes > limits.artifactBytesPerProject)
    throw new ArchiveError(
      `the bundle is larger than the ${limits.artifactBytesPerProject} bytes of a project`,
    )
  await completeArtifactBundle(store, key, { fileCount: number, storedBytes })
}

type NewFile = Omit<ArtifactFileRecord, 'number'>

/** Only source maps are stored; other files are only listed, because nothing reads them later. */
async function toRecords({ path: _path, ...file }: ManifestFile, bytes: Buffer): Promise<NewFile[]> {
  const listed = { ...file, byteCount: bytes.byteLength }
  if (file.kind === 'source_map') return [{ ...listed, data: await pack(bytes) }]
  if (file.kind !== 'minified_source') return [listed]
  const inlineMap = findInlineMap(bytes)
  if (inlineMap === undefined) {
    const sourceMapUrl = file.sourceMapUrl ?? findMapReference(bytes)
    return [{ ...listed, sourceMapUrl }]
  }
  const url = `${file.url}.map`
  return [
    { ...listed, sourceMapUrl: url },
    { ...file, kind: 'source_map', url, byteCount: inlineMap.byteLength, data: await pack(inlineMap) },
  ]
}

const compress = promisify<Uint8Array, ZstdOptions, Buffer>(zstdCompress)

/** In the thread pool. */
function pack(bytes: Buffer): Promise<Buffer> {
  return compress(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } })
}
