import type { SqlInput, SqlRow } from '#server/store/engine/connection.ts'
import { toQuery } from '#server/store/engine/per-engine.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { addRows } from './run-report.ts'

/** The rows of a table to delete. */
export interface RowDeletion {
  table: string
  /** The columns of the primary key after the project. */
  key: readonly string[]
  /** Its first parameter is the project. */
  where: string
  /** Rows per statement: few enough that a slice can stop in time. */
  rowsPerStatement: number
}

/**
 * True if there are such rows, or if the read fails. Read before the slices of a deletion: a slice excludes
 * all other writers, and usually there is nothing to delete.
 */
export async function hasRows(
  { store }: ExpiryRun,
  { table, where }: Pick<RowDeletion, 'table' | 'where'>,
  values: SqlInput[],
): Promise<boolean> {
  const query = toQuery(`SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`, values)
  try {
    const { rows } = await query.execute(store.db)
    return rows.length > 0
  } catch {
    // A read times out under a load of reads, which must not end the run. The slice reports other failures.
    return true
  }
}

/**
 * Reads candidates for a deletion: outside of the slices, each of which excludes all other writers, or in one
 * if that fails, like `hasRows`. Other writers may change the rows before they are deleted.
 */
export async function readRows(
  { store, pacer }: ExpiryRun,
  text: string,
  values: readonly SqlInput[],
): Promise<readonly SqlRow[]> {
  try {
    const { rows } = await pacer.read(() => toQuery<SqlRow>(text, values).execute(store.db))
    return rows
  } catch {
    return pacer.slice(() => store.connection.prepare(text).all(...values))
  }
}

/** Deletes the rows, a few at a time, until none is left. */
export async function deleteRows(run: ExpiryRun, deletion: RowDeletion, values: SqlInput[]): Promise<void> {
  if (!(await hasRows(run, deletion, values))) return
  const deleteSome = prepareDeletion(run, deletion)
  await run.pacer.repeat(() => deleteSome(values))
}

/** Returns a step that deletes some of the rows and returns whether all have been deleted. For a slice. */
export function prepareDeletion(
  { store, report }: ExpiryRun,
  { table, key, where, rowsPerStatement: maxCount }: RowDeletion,
): (values: SqlInput[]) => boolean {
  const statement = store.connection.prepare(store.engine.deletionOf({ table, key, where, maxCount }))
  return (values) => {
    const count = Number(statement.run(...values).changes)
    addRows(report, table, count)
    return count < maxCount
  }
}
