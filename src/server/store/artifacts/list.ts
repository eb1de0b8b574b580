import { sql, type Kysely } from 'kysely'
import * as v from 'valibot'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { ArtifactBundleView, ArtifactFileView, ArtifactUsage } from './views.ts'

const Files = v.array(
  v.object({
    kind: v.string(),
    url: v.string(),
    debug_id: v.nullable(v.string()),
    byte_count: v.number(),
  }),
)

/**
 * The newest uploads of a project, of one release where it is named, with their first files. One statement.
 */
export async function listArtifactBundles(
  db: Kysely<Database>,
  { projectId, release }: { projectId: number; release?: string },
): Promise<ArtifactBundleView[]> {
  const rows = await db
    .selectFrom('artifact_bundles as b')
    .select(['b.id', 'b.release', 'b.dist', 'b.uploaded_at', 'b.used_at', 'b.file_count', 'b.stored_bytes'])
    .select(
      sql<string>`(select json_group_array(json_object('kind', f.kind, 'url', f.url, 'debug_id', lower(hex(f.debug_id)),
        'byte_count', f.byte_count)) from (select * from artifact_files f where f.project_id = b.project_id
        and f.bundle_id = b.id order by f.number limit ${limits.artifactFilesShown}) f)`.as('files_json'),
    )
    .where('b.project_id', '=', projectId)
    .where('b.is_complete', '=', 1)
    .$if(release !== undefined, (query) => query.where('b.release', '=', release ?? ''))
    .orderBy('b.uploaded_at', 'desc')
    .orderBy('b.id')
    .limit(limits.artifactBundlesShown)
    .execute()
  return rows.map(toBundleView)
}

interface BundleRow {
  id: number
  release: string
  dist: string
  uploaded_at: number
  used_at: number
  file_count: number
  stored_bytes: number
  files_json: string
}

function toBundleView(row: BundleRow): ArtifactBundleView {
  return {
    id: String(row.id),
    ...(row.release !== '' && { release: row.release }),
    ...(row.dist !== '' && { dist: row.dist }),
    uploadedAt: row.uploaded_at,
    ...(row.used_at !== row.uploaded_at && { usedAt: row.used_at }),
    fileCount: row.file_count,
    storedBytes: row.stored_bytes,
    files: v.parse(Files, JSON.parse(row.files_json)).map(toFileView),
  }
}

function toFileView(file: v.InferOutput<typeof Files>[number]): ArtifactFileView {
  const { kind, url, byte_count: byteCount, debug_id: debugId } = file
  // Of no bytes SQLite writes the empty text.
  return { kind, url, byteCount, ...(debugId && { debugId: toUuid(debugId) }) }
}

/** What all uploads of a project take. One statement. */
export async function findArtifactUsage(db: Kysely<Database>, projectId: number): Promise<ArtifactUsage> {
  const row = await db
    .selectFrom('artifact_bundles')
    .select(({ fn }) => [
      fn.countAll<number>().as('bundle_count'),
      fn.sum<number | null>('file_count').as('file_count'),
      fn.sum<number | null>('stored_bytes').as('stored_bytes'),
    ])
    .where('project_id', '=', projectId)
    .where('is_complete', '=', 1)
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
