import { limits } from '#server/limits.ts'
import { forgetDeletedProject, listDeletedProjects } from '#server/store/projects/deleted.ts'
import type { Store } from '#server/store/store.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { deleteRows } from './row-deletion.ts'

/** A table that belongs to projects, with what its primary key has after the project. */
interface ProjectTable {
  table: string
  key: string[]
}

/** Tables with large values, of which few rows fill a slice. */
const rowsOfLargeTables = new Map([
  ['artifact_files', 1],
  ['attachments', 1],
  ['body_blocks', 5],
  ['dead_letters', 5],
  ['expired_digests', 5],
  ['filter_samples', 20],
  ['outbox', 5],
  ['outbox_blocks', 5],
])

/**
 * Deletes the data of deleted projects, in every table whose key a project leads. It repeats this for a
 * while: items in flight when the project was deleted are committed a moment later.
 */
export async function deleteRowsOfDeletedProjects(run: ExpiryRun): Promise<void> {
  const projects = await listDeletedProjects(run.store.db)
  if (projects.length === 0) return
  const tables = listProjectTables(run.store)
  for (const { projectId, deletedAt } of projects) {
    for (const { table, key } of tables) {
      const rowsPerStatement = rowsOfLargeTables.get(table) ?? 200
      await deleteRows(run, { table, key, where: 'project_id = ?', rowsPerStatement }, [projectId])
    }
    // Either way: a clock that was set back must not keep looking for ever.
    if (Math.abs(run.now - deletedAt) > limits.deletedProjectMs)
      await forgetDeletedProject(run.store, projectId)
  }
}

function listProjectTables({ sqlite }: Store): ProjectTable[] {
  const rows = sqlite
    .prepare(
      `SELECT m.name AS "table", json_group_array(c.name ORDER BY c.pk) AS key
       FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.pk > 0 GROUP BY m.name`,
    )
    .all()
  return rows.flatMap((row): ProjectTable[] => {
    const columns: unknown = JSON.parse(String(row['key']))
    if (!Array.isArray(columns) || columns[0] !== 'project_id') return []
    return [{ table: String(row['table']), key: columns.slice(1).map(String) }]
  })
}
