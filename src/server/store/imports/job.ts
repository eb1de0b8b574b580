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
 * Stores the document of an import in place of the one that was last changed at `seenAt`, if there is one.
 * Returns the time of this change; undefined, and changes nothing, if it has changed since or was deleted: of
 * several imports that begin at the same time, in any processes, one does, and a discarded one stays so.
 */
export async function recordImportJob(
  { writer, clock }: Store,
  { document, seenAt }: { document: string; seenAt: number | undefined },
): Promise<number | undefined> {
  // Not the same millisecond: another process would not notice the change.
  const at = seenAt === undefined ? clock() : Math.max(clock(), seenAt + 1)
  if (seenAt === undefined) {
    const { numInsertedOrUpdatedRows = 0n } = await writer
      .insertInto('import_jobs')
      .values({ id: jobId, document, updated_at: at })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst()
    return numInsertedOrUpdatedRows > 0n ? at : undefined
  }
  const { numUpdatedRows } = await writer
    .updateTable('import_jobs')
    .set({ document, updated_at: at })
    .where('id', '=', jobId)
    .where('updated_at', '=', seenAt)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? at : undefined
}

/** Deletes the document of the import. Imported data remains. */
export async function deleteImportJob({ writer }: Store): Promise<void> {
  await writer.deleteFrom('import_jobs').where('id', '=', jobId).execute()
}
