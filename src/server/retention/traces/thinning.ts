import { limits } from '#server/limits.ts'
import type { ExpiryRun } from '#server/retention/expiry/run.ts'
import type { ProjectLimits } from '#server/retention/project-limits.ts'
import { hasRows } from '#server/retention/row-deletion.ts'
import { addRows } from '#server/retention/run-report.ts'
import { fromIdBytes } from '#server/store/binary-id.ts'
import type { SqlInput, SqlRow } from '#server/store/engine/connection.ts'
import { firstBlockIdAt } from '#server/store/events/body-block.ts'
import type { Store } from '#server/store/store.ts'
import { chooseSegments } from './choosing.ts'
import { createTraceKeeper } from './kept-traces.ts'

/** Segments per statement: few enough that a slice can stop in time. */
const segmentsPerStatement = 50

/**
 * Deletes the traces of a project that are too old. While the others exceed the project's budget, deletes
 * those that are not kept for a reason, oldest first, and then the oldest of all.
 */
export async function thinTraces(
  run: ExpiryRun,
  { projectId, cutoffAt, traceBytes }: ProjectLimits,
  projectIds: readonly number[],
): Promise<void> {
  const siblings = listSiblings(projectId, projectIds)
  await chooseSegments(run, projectId, siblings)
  if (cutoffAt > 0) {
    const oldSegments = { where: 'id < ?', values: [firstBlockIdAt(cutoffAt)] }
    const old = deletion(run, projectId, oldSegments)
    const { where, values } = oldSegments
    if (
      await hasRows(run, { table: 'trace_segments', where: `project_id = ? AND ${where}` }, [
        projectId,
        ...values,
      ])
    )
      await run.pacer.repeat(() => old(Number.POSITIVE_INFINITY) === 0)
  }
  if (readTraceBytes(run.store, projectId) > traceBytes)
    await shrinkTraces(run, siblings, {
      ordinaryBytes: traceBytes * (1 - limits.traceFreeShare),
      allBytes: traceBytes * (1 - limits.traceKeptFreeShare),
    })
}

/** A project and the other projects: ids of traces are random, so a trace is looked up in every project. */
export function listSiblings(projectId: number, projectIds: readonly number[]): number[] {
  return [projectId, ...projectIds.filter((id) => id !== projectId)].slice(0, limits.traceProjects)
}

/** The sizes to which traces are reduced. */
export interface ShrinkTarget {
  /** The size to reach by deleting traces that are not kept for a reason. */
  ordinaryBytes: number
  /** The size to reach by deleting any traces. */
  allBytes: number
}

/**
 * Deletes traces of a project, the first of `siblings`, until they are within the given sizes. Traces with an
 * error that has arrived since they were chosen are kept like others with an error.
 */
export async function shrinkTraces(
  run: ExpiryRun,
  siblings: readonly number[],
  { ordinaryBytes, allBytes }: ShrinkTarget,
): Promise<void> {
  const [projectId = 0] = siblings
  const keeper = createTraceKeeper(run.store)
  const keepErrors = (traceIds: readonly string[]) => {
    const kept = keeper.findErrorTraces(traceIds, siblings)
    keeper.keep(kept, siblings)
    return kept
  }
  const steps = [
    { bytes: ordinaryBytes, some: deletion(run, projectId, { where: 'worth = 1', values: [], keepErrors }) },
    { bytes: allBytes, some: deletion(run, projectId, { where: 'id > ?', values: [0] }) },
  ]
  for (const { bytes, some: deleteSome } of steps) {
    await run.pacer.repeat(() => {
      const missingBytes = readTraceBytes(run.store, projectId) - bytes
      return missingBytes <= 0 || deleteSome(missingBytes) === 0
    })
  }
}

/** The projects whose traces exceed their budget, so that thinning should not wait until a run is due. */
export async function listGrownProjects(
  { db }: Store,
  projects: readonly ProjectLimits[],
): Promise<ProjectLimits[]> {
  const totals = await db.selectFrom('trace_totals').select(['project_id', 'stored_bytes']).execute()
  const sizes = new Map(totals.map(({ project_id: id, stored_bytes: bytes }) => [id, bytes]))
  return projects.filter(({ projectId, traceBytes }) => (sizes.get(projectId) ?? 0) > traceBytes)
}

/** The bytes of a project's traces. */
export function readTraceBytes({ connection }: Store, projectId: number): number {
  const row = connection.prepare('SELECT stored_bytes FROM trace_totals WHERE project_id = ?').get(projectId)
  return Number(row?.['stored_bytes'] ?? 0)
}

interface Deletion {
  where: string
  values: readonly SqlInput[]
  /** Returns the traces that must not be deleted, and marks them so that `where` excludes them. */
  keepErrors?: (traceIds: readonly string[]) => ReadonlySet<string>
}

/**
 * Returns a step that deletes some of a project's segments, oldest first, up to a number of bytes, and
 * returns how many it has deleted or excluded.
 */
function deletion(
  { store: { connection }, report }: ExpiryRun,
  projectId: number,
  { where, values, keepErrors = () => new Set() }: Deletion,
): (missingBytes: number) => number {
  const range = `project_id = ? AND ${where}`
  const readOldest = connection.prepare(
    `SELECT id, trace_id, length(data) AS stored FROM trace_segments WHERE ${range} ORDER BY id
     LIMIT ${segmentsPerStatement}`,
  )
  const deleteUpTo = connection.prepare(`DELETE FROM trace_segments WHERE ${range} AND id <= ?`)
  const subtract = connection.prepare(
    `UPDATE trace_totals SET segment_count = segment_count - ?, stored_bytes = stored_bytes - ? WHERE project_id = ?`,
  )
  return (missingBytes) => {
    const found = readOldest.all(projectId, ...values)
    const kept = keepErrors(found.map(traceIdOf))
    const rows: SqlRow[] = []
    let freed = 0
    for (const row of found) {
      if (freed >= missingBytes) break
      if (kept.has(traceIdOf(row))) continue
      rows.push(row)
      freed += Number(row['stored']) + limits.traceRowBytes
    }
    const lastId = rows.at(-1)?.['id']
    if (typeof lastId !== 'number') return found.length
    deleteUpTo.run(projectId, ...values, lastId)
    subtract.run(rows.length, freed, projectId)
    addRows(report, 'trace_segments', rows.length)
    return rows.length
  }
}

function traceIdOf(row: SqlRow): string {
  const traceId = row['trace_id']
  return traceId instanceof Uint8Array ? fromIdBytes(traceId) : ''
}
