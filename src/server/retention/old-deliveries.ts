import { limits } from '#server/limits.ts'
import { dayMs } from '#time/time-steps.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { hasRows } from './row-deletion.ts'
import { addRows } from './run-report.ts'

const rowsPerStatement = 200

/** Deletes alert messages with their attempts after the default age of events. */
export async function deleteOldDeliveries(run: ExpiryRun): Promise<void> {
  const statement = run.store.connection.prepare(
    `DELETE FROM alert_deliveries WHERE id IN (
       SELECT id FROM alert_deliveries WHERE created_at < ? ORDER BY created_at LIMIT ${rowsPerStatement})`,
  )
  const cutoffAt = run.now - limits.retentionDays * dayMs
  if (!(await hasRows(run, { table: 'alert_deliveries', where: 'created_at < ?' }, [cutoffAt]))) return
  await run.pacer.repeat(() => {
    const count = Number(statement.run(cutoffAt).changes)
    addRows(run.report, 'alert_deliveries', count)
    return count < rowsPerStatement
  })
}
