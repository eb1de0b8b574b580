import { limits } from '#server/limits.ts'
import { forgetDeletedProject, listDeletedProjects } from '#server/store/projects/deleted.ts'
import type { Store } from '#server/store/store.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { deleteRows } from './row-deletion.ts'

/** A table with rows of projects, and the columns of its primary key after the project. */
interface ProjectTable {
  table: string
  key: string[]
}

/** Tables with large values: a slice deletes few rows of them. */
const rowsOfLargeTables = new Map([
  ['artifact_files', 1],
  ['attachments', 1],
  ['body_blocks', 5],
  ['dead_letters', 5],
  ['expired_digests', 5],
  ['filter_samples', 20],
  ['outbox', 5],
  ['outbox_blocks', 5],
  ['trace_segments', 20],
])

/**
 * Deletes the data of deleted projects, in every table whose primary key begins with the project. Repeated
 * for a while: items that were in flight when the project was deleted are committed a moment later.
 */
export async function deleteRowsOfDeletedProjects(run: ExpiryRun): Promise<void> {
  const projects = await listDeletedProjects(run.store.db)
  if (projects.length === 0) return
  const tables = listProjectTables(run.store)
  const deleteProject = async ({ projectId, deletedAt }: (typeof projects)[number]) => {
    for (const { table, key } of tables) {
      const rowsPerStatement = rowsOfLargeTables.get(table) ?? 200
      await deleteRows(run, { table, key, where: 'project_id = ?', rowsPerStatement }, [projectId])
    }
    // The absolute difference: a clock that was set back must not keep this going forever.
    if (Math.abs(run.now - deletedAt) > limits.deletedProjectMs)
      await forgetDeletedProject(run.store, projectId)
  }
  for (const project of projects) await run.failures.attempt(project.projectId, () => deleteProject(project))
}

function listProjectTables({ engine }: Store): ProjectTable[] {
  return engine
    .listTableKeys()
    .flatMap(({ table, key }) => (key[0] === 'project_id' ? [{ table, key: key.slice(1) }] : []))
}
