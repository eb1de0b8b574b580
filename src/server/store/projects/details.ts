import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { toProjectName } from './projects.ts'
import type { ProjectName } from './records.ts'
import { parseProjectSettings, type ProjectSettings } from './settings.ts'

/** A project with its settings. */
export interface ProjectDetails extends ProjectName {
  organizationId: number
  createdAt: number
  isBuiltIn: boolean
  settings: ProjectSettings
}

/** The project with a slug, if it is one of the given projects. One statement. */
export async function findProjectDetails(
  db: Db,
  { slug, projectIds }: { slug: string; projectIds: readonly number[] },
): Promise<ProjectDetails | undefined> {
  const row = await db
    .selectFrom('projects')
    .select(['id', 'slug', 'name', 'platform', 'organization_id', 'created_at', 'is_built_in', 'settings'])
    .where('slug', '=', slug)
    .where('id', 'in', projectIds)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...toProjectName(row),
    organizationId: row.organization_id,
    createdAt: row.created_at,
    isBuiltIn: row.is_built_in === 1,
    settings: parseProjectSettings(row.settings),
  }
}

/** The name, slug and platform of a project. */
export interface ProjectNaming {
  name: string
  slug: string
  /** Absent for no particular platform. */
  platform?: string
}

/** Renames a project. Returns `slug_taken` without a change if another project has the slug. */
export async function recordProjectNaming(
  store: Store,
  projectId: number,
  { name, slug, platform }: ProjectNaming,
): Promise<'done' | 'slug_taken'> {
  return store.writer.transaction().execute(async (tx) => {
    const holder = await tx.selectFrom('projects').select('id').where('slug', '=', slug).executeTakeFirst()
    if (holder !== undefined && holder.id !== projectId) return 'slug_taken'
    await tx
      .updateTable('projects')
      .set({ name, slug, platform: platform ?? null })
      .where('id', '=', projectId)
      .execute()
    return 'done'
  })
}
