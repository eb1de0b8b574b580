import { limits } from '#server/limits.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { deleteRows, hasRows } from './row-deletion.ts'

/** Deletes the files of deleted bundles, one at a time, because a source map can be many pages. */
export async function deleteFilesOfDeletedBundles(run: ExpiryRun, projectId: number): Promise<void> {
  const where = `project_id = ? AND NOT EXISTS (SELECT 1 FROM artifact_bundles b
    WHERE b.project_id = artifact_files.project_id AND b.id = artifact_files.bundle_id)`
  const key = ['bundle_id', 'number']
  await deleteRows(run, { table: 'artifact_files', key, where, rowsPerStatement: 1 }, [projectId])
}

/** Deletes the chunks of uploads that were never assembled. */
export async function deleteOldChunks(run: ExpiryRun): Promise<void> {
  const statement = run.store.connection.prepare(
    `DELETE FROM artifact_chunks WHERE (organization_id, checksum) IN (
       SELECT organization_id, checksum FROM artifact_chunks WHERE received_at < ? LIMIT 1)`,
  )
  const before = run.now - limits.chunkMaxAgeMs
  if (!(await hasRows(run, { table: 'artifact_chunks', where: 'received_at < ?' }, [before]))) return
  await run.pacer.repeat(() => Number(statement.run(before).changes) === 0)
}
