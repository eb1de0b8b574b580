import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** There is one job at a time, because any other import would conflict with it. */
const jobId = 'latest'

/** Finds the document of the latest import, and when it was changed (Unix ms). */
export async function findImportJob(db: Db): Promise<{ document: string; updatedAt: number } | undefined> {
  const row = await db.selectFrom('import_jobs').selectAll().where('id', '=', jobId).executeTakeFirst()
  return row && { document: row.document, updatedAt: row.updated_at }
}

/**
 * Stores the document of an import that begins, in place of the one that was last changed at `seenAt`, if
 * there is one. Returns false, and changes nothing, if it has changed since: of several imports that begin at
 * the same time, in any processes, one does.
 */
export async function claimImportJob(
  { writer, clock }: Store,
  { document, seenAt }: { document: string; seenAt: number | undefined },
): Promise<boolean> {
  if (seenAt === undefined) {
    const { numInsertedOrUpdatedRows = 0n } = await writer
      .insertInto('import_jobs')
      .values({ id: jobId, document, updated_at: clock() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n
  }
  const { numUpdatedRows } = await writer
    .updateTable('import_jobs')
    // Not the same millisecond: another claim would not notice the change.
    .set({ document, updated_at: Math.max(clock(), seenAt + 1) })
    .where('id', '=', jobId)
    .where('updated_at', '=', seenAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the document of the import, replacing an earlier one. */
export async function recordImportJob({ writer, clock }: Store, document: string): Promise<void> {
  const changed = { document, updated_at: clock() }
  await writer
    .insertInto('import_jobs')
    .values({ id: jobId, ...changed })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute()
}

/** Deletes the document of the import. Imported data remains. */
export async function deleteImportJob({ writer }: Store): Promise<void> {
  await writer.deleteFrom('import_jobs').where('id', '=', jobId).execute()
}
