import { sql } from 'kysely'
import { findSetting } from '#server/store/installation/settings.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

const tombstone = 'deleted_project:'
const highestIdKey = 'highest_deleted_project'

/** A deleted project whose rows are still being deleted. */
export interface DeletedProject {
  projectId: number
  deletedAt: number
}

/**
 * Deletes a project: its keys are rejected immediately and no user has access to it. Retention deletes its
 * data (`deleteRowsOfDeletedProjects`) in steps that do not slow down ingest. Its id is never reused.
 */
export async function recordProjectDeletion(store: Store, projectId: number): Promise<void> {
  const deletedAt = store.clock()
  await store.writer.transaction().execute(async (tx) => {
    // These tables are small, and the foreign keys require it.
    for (const table of store.engine.listReferringTables('projects'))
      await sql`DELETE FROM ${sql.table(table)} WHERE project_id = ${projectId}`.execute(tx)
    const deleted = await tx.deleteFrom('projects').where('id', '=', projectId).executeTakeFirst()
    // Another request has deleted it meanwhile.
    if (deleted.numDeletedRows === 0n) return
    await tx
      .insertInto('settings')
      .values({ key: `${tombstone}${projectId}`, value: String(deletedAt) })
      .execute()
    // Ids of new projects do not continue after the long ids of imported ones.
    const shortId = projectId < 1_000_000_000_000 ? projectId : 0
    const highest = Math.max(shortId, await findHighestDeletedId(tx))
    await tx
      .insertInto('settings')
      .values({ key: highestIdKey, value: String(highest) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: String(highest) }))
      .execute()
  })
}

/** The highest id of any deleted project; 0 if there is none. */
export async function findHighestDeletedId(db: Db): Promise<number> {
  return Number((await findSetting(db, highestIdKey)) ?? 0)
}

/** The deleted projects that may still have rows. One statement. */
export async function listDeletedProjects(db: Db): Promise<DeletedProject[]> {
  const rows = await db
    .selectFrom('settings')
    .select(['key', 'value'])
    .where('key', '>=', tombstone)
    .where('key', '<', `${tombstone.slice(0, -1)};`)
    .execute()
  return rows.map(({ key, value }) => ({
    projectId: Number(key.slice(tombstone.length)),
    deletedAt: Number(value),
  }))
}

/** Records that a deleted project has no rows left. */
export async function forgetDeletedProject(store: Store, projectId: number): Promise<void> {
  await store.writer.deleteFrom('settings').where('key', '=', `${tombstone}${projectId}`).execute()
}
