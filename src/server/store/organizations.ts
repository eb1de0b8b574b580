import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** An organization: whose projects and members belong together. */
export interface Organization {
  id: number
  slug: string
  name: string
}

/** The organization with an id. One statement. */
export async function findOrganization(db: Kysely<Database>, id: number): Promise<Organization | undefined> {
  return db.selectFrom('organizations').select(['id', 'slug', 'name']).where('id', '=', id).executeTakeFirst()
}
