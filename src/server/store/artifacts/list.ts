import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { hexOf, jsonRows } from '#server/store/engine/per-engine.ts'
import type { Database, Db } from '#server/store/schema/database.ts'
import type { ArtifactBundle, ArtifactUpload, ArtifactUsage } from './records.ts'

/** Selects uploads: those of a project, or of one of its releases. */
export interface UploadsQuery {
  projectId: number
  release?: string
}

function selectUploads(db: Db, { projectId, release }: UploadsQuery) {
  return db
    .selectFrom('artifact_bundles as b')
    .where('b.project_id', '=', projectId)
    .where('b.is_complete', '=', 1)
    .$if(release !== undefined, (query) => query.where('b.release', '=', release ?? ''))
}

const uploadColumns = [
  'b.id',
  'b.dist',
  'b.uploaded_at',
  'b.used_at',
  'b.file_count',
  'b.stored_bytes',
] as const

/** The newest `limits.releaseUploadsShown` uploads. One statement. */
export async function listUploads(db: Db, query: UploadsQuery): Promise<ArtifactUpload[]> {
  const rows = await selectUploads(db, query)
    .select(uploadColumns)
    .orderBy('b.uploaded_at', 'desc')
    .orderBy('b.id')
    .limit(limits.releaseUploadsShown)
    .execute()
  return rows.map(toUpload)
}

/** The newest `limits.artifactBundlesShown` uploads with their first files. One statement. */
export async function listArtifactBundles(db: Db, query: UploadsQuery): Promise<ArtifactBundle[]> {
  const rows = await selectUploads(db, query)
    .select([...uploadColumns, 'b.release'])
    .select((is) =>
      jsonRows(
        is
          .selectFrom('artifact_files as f')
          .select(['f.kind', 'f.url', 'f.byte_count'])
          .select(hexOf(sql.ref('f.debug_id')).as('debug_id'))
          .whereRef('f.project_id', '=', 'b.project_id')
          .whereRef('f.bundle_id', '=', 'b.id')
          .orderBy('f.number')
          .limit(limits.artifactFilesShown),
      ).as('files_json'),
    )
    .orderBy('b.uploaded_at', 'desc')
    .orderBy('b.id')
    .limit(limits.artifactBundlesShown)
    .execute()
  return rows.map((row) =>
    Object.assign(toUpload(row), row.release !== '' && { release: row.release }, {
      files: row.files_json.map(({ kind, url, byte_count: byteCount, debug_id: debugId }) => ({
        kind,
        url,
        byteCount,
        ...(debugId !== '' && { debugId: toUuid(debugId) }),
      })),
    }),
  )
}

function toUpload(
  row: Pick<
    Database['artifact_bundles'],
    'id' | 'dist' | 'uploaded_at' | 'used_at' | 'file_count' | 'stored_bytes'
  >,
): ArtifactUpload {
  return {
    id: String(row.id),
    ...(row.dist !== '' && { dist: row.dist }),
    uploadedAt: row.uploaded_at,
    ...(row.used_at !== row.uploaded_at && { usedAt: row.used_at }),
    fileCount: row.file_count,
    storedBytes: row.stored_bytes,
  }
}

/** The total size of all uploads. One statement. */
export async function findArtifactUsage(db: Db, query: UploadsQuery): Promise<ArtifactUsage> {
  const row = await selectUploads(db, query)
    .select(({ fn }) => [
      fn.countAll<number>().as('bundle_count'),
      fn.sum<number | null>('b.file_count').as('file_count'),
      fn.sum<number | null>('b.stored_bytes').as('stored_bytes'),
    ])
    .executeTakeFirst()
  return {
    bundleCount: row?.bundle_count ?? 0,
    fileCount: row?.file_count ?? 0,
    storedBytes: row?.stored_bytes ?? 0,
  }
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
