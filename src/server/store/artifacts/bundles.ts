import { hash } from 'node:crypto'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** Identifies a bundle. */
export interface BundleKey {
  projectId: number
  bundleId: number
}

/** Identifies an upload to a project, also before its manifest has been read. */
export interface BundleOrigin {
  projectId: number
  /** SHA-1 of the archive, 40 lower-case hex digits. */
  checksum: string
  /** From the request; empty if only the manifest names it, or neither. */
  release: string
  dist: string
}

/** A file of a bundle as it is stored. */
export interface ArtifactFileRecord {
  number: number
  /** The type in the manifest: `source_map`, `minified_source` … */
  kind: string
  url: string
  /** 32 lower-case hex digits. */
  debugId?: string
  sourceMapUrl?: string
  /** The size of the file, uncompressed. */
  byteCount: number
  /** The file as one zstd frame; absent if it is only listed. */
  data?: Uint8Array
}

/** The id of a bundle: equal for equal uploads, so that a repeated upload finds the first one. */
export function artifactBundleId({ projectId, checksum, release, dist }: BundleOrigin): number {
  const digest = hash('sha256', JSON.stringify([projectId, checksum, release, dist]), 'buffer')
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >>> 3)
}

/** True if the bundle is complete. One statement. */
export async function hasArtifactBundle(db: Db, { projectId, bundleId }: BundleKey): Promise<boolean> {
  const row = await db
    .selectFrom('artifact_bundles')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', bundleId)
    .where('is_complete', '=', 1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Begins a bundle and deletes the rest of an earlier attempt. Its files are found once it is complete: by the
 * release, if the request or the manifest names one, or by debug ids alone.
 */
export function recordArtifactBundle(
  store: Store,
  origin: BundleOrigin,
  { release, dist }: Pick<BundleOrigin, 'release' | 'dist'> = origin,
): Promise<BundleKey> {
  const { projectId, checksum } = origin
  const key = { projectId, bundleId: artifactBundleId(origin) }
  const now = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('artifact_files')
      .where('project_id', '=', projectId)
      .where('bundle_id', '=', key.bundleId)
      .execute()
    await tx
      .insertInto('artifact_bundles')
      .values({
        project_id: projectId,
        id: key.bundleId,
        checksum: Buffer.from(checksum, 'hex'),
        release,
        dist,
        uploaded_at: now,
        used_at: now,
        is_complete: 0,
        file_count: 0,
        stored_bytes: 0,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'id'])
          .doUpdateSet({ uploaded_at: now, used_at: now, is_complete: 0 }),
      )
      .execute()
    return key
  })
}

/** Stores a file of a bundle that has begun. */
export async function recordArtifactFile(
  store: Store,
  { projectId, bundleId }: BundleKey,
  file: ArtifactFileRecord,
): Promise<void> {
  await store.writer
    .insertInto('artifact_files')
    .values({
      project_id: projectId,
      bundle_id: bundleId,
      number: file.number,
      kind: file.kind,
      url: file.url,
      debug_id: file.debugId === undefined ? null : Buffer.from(file.debugId, 'hex'),
      source_map_url: file.sourceMapUrl ?? null,
      byte_count: file.byteCount,
      stored_bytes: file.data?.byteLength ?? 0,
      data: file.data ?? null,
    })
    .execute()
}

/** Marks the bundle as complete: its files can be found from now on. */
export async function completeArtifactBundle(
  store: Store,
  { projectId, bundleId }: BundleKey,
  { fileCount, storedBytes }: { fileCount: number; storedBytes: number },
): Promise<void> {
  await store.writer
    .updateTable('artifact_bundles')
    .set({ is_complete: 1, file_count: fileCount, stored_bytes: storedBytes })
    .where('project_id', '=', projectId)
    .where('id', '=', bundleId)
    .execute()
}

/** Records that bundles are in use. */
export async function noteBundleUse(store: Store, keys: readonly BundleKey[]): Promise<void> {
  const now = store.clock()
  for (const { projectId, bundleId } of keys) {
    await store.writer
      .updateTable('artifact_bundles')
      .set({ used_at: now })
      .where('project_id', '=', projectId)
      .where('id', '=', bundleId)
      .execute()
  }
}
/**
 * Deletes a bundle: its files cannot be found any more, and retention frees the disk space. Returns false if
 * there is none.
 */
export async function deleteArtifactBundle(
  store: Store,
  { projectId, bundleId }: BundleKey,
): Promise<boolean> {
  const [result] = await store.writer
    .deleteFrom('artifact_bundles')
    .where('project_id', '=', projectId)
    .where('id', '=', bundleId)
    .execute()
  return Number(result?.numDeletedRows ?? 0) > 0
}
