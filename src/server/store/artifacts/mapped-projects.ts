import { sql } from 'kysely'
import { hexOf } from '#server/store/engine/per-engine.ts'
import type { Db } from '#server/store/schema/database.ts'

/** The releases of a project that have source maps. */
export interface MappedProject {
  /** Changes when an upload was added or deleted. */
  stamp: string
  /** 32 lower-case hex digits each. */
  debugIds: ReadonlySet<string>
  releases: ReadonlySet<string>
}

/** The projects that have source maps, each with a stamp of their uploads. One statement. */
export async function listArtifactStamps(db: Db): Promise<{ projectId: number; stamp: string }[]> {
  const rows = await db
    .selectFrom('artifact_bundles')
    .select(({ fn }) => [
      'project_id',
      fn.countAll<number>().as('count'),
      fn.max('uploaded_at').as('uploaded_at'),
    ])
    .where('is_complete', '=', 1)
    .groupBy('project_id')
    .execute()
  return rows.map((row) => ({ projectId: row.project_id, stamp: `${row.count} ${row.uploaded_at}` }))
}

/** The debug ids and releases of a project that have source maps. Two statements. */
export async function readMappedProject(db: Db, projectId: number): Promise<Omit<MappedProject, 'stamp'>> {
  const ids = await db
    .selectFrom('artifact_bundles as b')
    .innerJoin('artifact_files as f', (join) =>
      join.onRef('f.project_id', '=', 'b.project_id').onRef('f.bundle_id', '=', 'b.id'),
    )
    .select(hexOf(sql.ref('f.debug_id')).as('debug_id'))
    .where('b.project_id', '=', projectId)
    .where('b.is_complete', '=', 1)
    .where('f.debug_id', 'is not', null)
    .where('f.kind', '=', 'source_map')
    .execute()
  const releases = await db
    .selectFrom('artifact_bundles')
    .select('release')
    .distinct()
    .where('project_id', '=', projectId)
    .where('is_complete', '=', 1)
    .where('release', '<>', '')
    .execute()
  return {
    debugIds: new Set(ids.map((row) => row.debug_id)),
    releases: new Set(releases.map((row) => row.release)),
  }
}
