import { limits } from '#server/limits.ts'
import { toSlug } from '#server/store/projects/slug.ts'
import type { Db } from '#server/store/schema/database.ts'

/** An organization with projects and members. */
export interface Organization {
  id: number
  slug: string
  name: string
}

/** The organization with an id. One statement. */
export async function findOrganization(db: Db, id: number): Promise<Organization | undefined> {
  return db.selectFrom('organizations').select(['id', 'slug', 'name']).where('id', '=', id).executeTakeFirst()
}

/**
 * Renames an organization. Its slug is in the settings of tools (`SENTRY_ORG`), so it follows the name only
 * during the installation's setup. Throws if another organization has the slug.
 */
export async function nameOrganization(
  db: Db,
  { id, name, hasNewSlug = false }: { id: number; name: string; hasNewSlug?: boolean },
): Promise<void> {
  const slug = hasNewSlug ? toSlug(name, limits.organizationSlugCharacters) : undefined
  await db.updateTable('organizations').set({ name, slug }).where('id', '=', id).execute()
}
