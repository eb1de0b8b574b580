import { limits } from '#server/limits.ts'
import type { Organization } from '#server/store/accounts/organizations.ts'
import { sortByName } from '#server/store/name-order.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { toMonitor, type Monitor } from './monitors.ts'

/** The organization of a public status page; undefined if there is none. One statement. */
export async function findPublicOrganization(db: Db, slug: string): Promise<Organization | undefined> {
  return db
    .selectFrom('organizations')
    .select(['id', 'slug', 'name'])
    .where('slug', '=', slug)
    .where('has_status_page', '=', 1)
    .executeTakeFirst()
}

/** The monitors on the status page of an organization, by their public names. One statement. */
export async function listPublicMonitors(
  db: Db,
  organizationId: number,
): Promise<(Monitor & { publicName: string })[]> {
  const rows = await db
    .selectFrom('monitors as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .selectAll('m')
    .where('p.organization_id', '=', organizationId)
    .where('m.public_name', 'is not', null)
    .orderBy('m.public_name')
    .orderBy('m.id')
    .limit(limits.statusPageMonitors)
    .execute()
  return sortByName(rows, (row) => row.public_name ?? '').flatMap((row) => {
    const monitor = toMonitor(row)
    return monitor === undefined ? [] : [{ ...monitor, publicName: row.public_name ?? '' }]
  })
}

/** A monitor that can be on the status page. */
export interface StatusPageChoice {
  projectId: number
  projectName: string
  monitorId: string
  name: string
  publicName?: string
}

/** The settings of a status page. */
export interface StoredStatusPage {
  isPublished: boolean
  choices: StatusPageChoice[]
}

/** The settings of the status page of an organization. Two statements. */
export async function readStatusPage(db: Db, organizationId: number): Promise<StoredStatusPage> {
  const organization = await db
    .selectFrom('organizations')
    .select('has_status_page')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  const rows = await db
    .selectFrom('monitors as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select(['m.project_id', 'm.id', 'm.name', 'm.public_name', 'p.name as project_name'])
    .where('p.organization_id', '=', organizationId)
    .orderBy('p.name')
    .orderBy('m.name')
    .limit(limits.statusPageChoices)
    .execute()
  return {
    isPublished: organization?.has_status_page === 1,
    choices: sortByName(rows, (row) => `${row.project_name} ${row.name}`).map((row) => ({
      projectId: row.project_id,
      projectName: row.project_name,
      monitorId: row.id,
      name: row.name,
      publicName: row.public_name ?? undefined,
    })),
  }
}

/** Publishes or unpublishes the status page of an organization, and sets its monitors. */
export async function recordStatusPage(
  store: Store,
  organizationId: number,
  { isPublished, choices }: StoredStatusPage,
): Promise<void> {
  await store.writer.transaction().execute(async (tx) => {
    await tx
      .updateTable('organizations')
      .set({ has_status_page: isPublished ? 1 : 0 })
      .where('id', '=', organizationId)
      .execute()
    for (const { projectId, monitorId, publicName } of choices)
      await tx
        .updateTable('monitors')
        .set({ public_name: publicName ?? null })
        .where('project_id', '=', projectId)
        .where('id', '=', monitorId)
        .execute()
  })
}
