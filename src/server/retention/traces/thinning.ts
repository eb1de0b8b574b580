import { limits } from '#server/limits.ts'
import type { ExpiryRun } from '#server/retention/expiry/run.ts'
import type { ProjectLimits } from '#server/retention/project-limits.ts'
import { addRows } from '#server/retention/run-report.ts'
import type { SqlInput, SqlRow } from '#server/store/engine/connection.ts'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import type { Store } from '#server/store/store.ts'
import { chooseSegments } from './choosing.ts'

/** Segments deleted by one statement: few enough that a slice can stop in time. */
const segmentsPerStatement = 50

/**
 * Deletes the traces of a project that are too old, and then, while they take more than the project's budget,
 * those that are kept for no reason, the oldest first; then the oldest of all.
 */
export async function thinTraces(
  run: ExpiryRun,
  { projectId, cutoffAt, traceBytes }: ProjectLimits,
  projectIds: readonly number[],
): Promise<void> {
  await chooseSegments(run, projectId, projectIds)
  if (cutoffAt > 0) {
    const old = deletion(run, projectId, { where: 'id < ?', values: [firstBlockIdAt(cutoffAt)] })
    await run.pacer.repeat(() => old(Number.POSITIVE_INFINITY) === 0)
  }
  if (readTraceBytes(run.store, projectId) > traceBytes)
    await shrinkTraces(run, projectId, traceBytes * (1 - limits.traceFreeShare))
}

/** Deletes traces of a project until they take no more than so many bytes. */
export async function shrinkTraces(run: ExpiryRun, projectId: number, targetBytes: number): Promise<void> {
  const steps = [
    deletion(run, projectId, { where: 'worth = 1', values: [] }),
    deletion(run, projectId, { where: 'id > ?', values: [0] }),
  ]
  for (const deleteSome of steps) {
    await run.pacer.repeat(() => {
      const missingBytes = readTraceBytes(run.store, projectId) - targetBytes
      return missingBytes <= 0 || deleteSome(missingBytes) === 0
    })
  }
}

/** True when a project's traces take more than they may, so that a run should not wait until it is due. */
export async function haveTracesGrown({ db }: Store, projects: readonly ProjectLimits[]): Promise<boolean> {
  const totals = await db.selectFrom('trace_totals').select(['project_id', 'stored_bytes']).execute()
  return totals.some(({ project_id: projectId, stored_bytes: storedBytes }) => {
    const project = projects.find((each) => each.projectId === projectId)
    return project !== undefined && storedBytes > project.traceBytes
  })
}

/** Bytes that the traces of a project take. */
export function readTraceBytes({ connection }: Store, projectId: number): number {
  const row = connection.prepare('SELECT stored_bytes FROM trace_totals WHERE project_id = ?').get(projectId)
  return Number(row?.['stored_bytes'] ?? 0)
}

/**
 * A step that deletes some of a project's segments, the oldest first, up to so many bytes; returns how many.
 */
function deletion(
  { store: { connection }, report }: ExpiryRun,
  projectId: number,
  { where, values }: { where: string; values: readonly SqlInput[] },
): (missingBytes: number) => number {
  const range = `project_id = ? AND ${where}`
  const readOldest = connection.prepare(
    `SELECT id, length(data) AS stored FROM trace_segments WHERE ${range} ORDER BY id LIMIT ${segmentsPerStatement}`,
  )
  const deleteUpTo = connection.prepare(`DELETE FROM trace_segments WHERE ${range} AND id <= ?`)
  const subtract = connection.prepare(
    `UPDATE trace_totals SET segment_count = segment_count - ?, stored_bytes = stored_bytes - ? WHERE project_id = ?`,
  )
  return (missingBytes) => {
    const rows: SqlRow[] = []
    let freed = 0
    for (const row of readOldest.all(projectId, ...values)) {
      if (freed >= missingBytes) break
      rows.push(row)
      freed += Number(row['stored']) + limits.traceRowBytes
    }
    const lastId = rows.at(-1)?.['id']
    if (typeof lastId !== 'number') return 0
    deleteUpTo.run(projectId, ...values, lastId)
    subtract.run(rows.length, freed, projectId)
    addRows(report, 'trace_segments', rows.length)
    return rows.length
  }
}
