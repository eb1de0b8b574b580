import { limits } from '#server/limits.ts'
import type { ExpiryRun } from '#server/retention/expiry/run.ts'
import { deleteRows } from '#server/retention/row-deletion.ts'

/** The newest rows of a project are kept up to a number and a size. */
interface CappedRows {
  table: string
  key: readonly string[]
  /** A column that grows with time. */
  orderBy: string
  /** The weight of a row. */
  count: string
  bytes: string
  maxCount: number
  maxBytes: number
  rowsPerStatement: number
}

const cappedRows: readonly CappedRows[] = [
  {
    table: 'dead_letters',
    key: ['id'],
    orderBy: 'received_at',
    count: '1',
    bytes: 'length(payload)',
    maxCount: limits.deadLettersPerProject,
    maxBytes: limits.deadLetterBytesPerProject,
    rowsPerStatement: 10,
  },
  {
    // Their files are deleted afterwards.
    table: 'artifact_bundles',
    key: ['id'],
    orderBy: 'uploaded_at',
    count: 'file_count',
    bytes: 'stored_bytes',
    maxCount: limits.artifactFilesPerProject,
    maxBytes: limits.artifactBytesPerProject,
    rowsPerStatement: 20,
  },
  {
    table: 'expired_digests',
    key: ['id'],
    orderBy: 'id',
    count: 'event_count',
    bytes: '0',
    maxCount: limits.expiredDigestsPerProject,
    maxBytes: 1,
    rowsPerStatement: 200,
  },
]

/** Deletes the oldest rows of tables with a maximum size. */
export async function deleteSurplusRows(run: ExpiryRun, projectId: number): Promise<void> {
  for (const capped of cappedRows) {
    const bound = findBound(run, projectId, capped)
    if (bound === undefined) continue
    const where = `project_id = ? AND ${capped.orderBy} <= ?`
    await deleteRows(run, { ...capped, where }, [projectId, bound])
  }
}

/** The newest row above the limit. Undefined if there is none. */
function findBound(
  { store }: ExpiryRun,
  projectId: number,
  { table, orderBy, count, bytes, maxCount, maxBytes }: CappedRows,
): number | undefined {
  const rows = store.connection.prepare(
    `SELECT ${orderBy} AS place, ${count} AS count, ${bytes} AS bytes FROM ${table}
     WHERE project_id = ? ORDER BY ${orderBy} DESC`,
  )
  let totalCount = 0
  let totalBytes = 0
  for (const row of rows.iterate(projectId)) {
    totalCount += Number(row['count'])
    totalBytes += Number(row['bytes'])
    if (totalCount > maxCount || totalBytes > maxBytes) return Number(row['place'])
  }
  return undefined
}
