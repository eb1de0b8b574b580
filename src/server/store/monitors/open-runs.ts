import type { Tx } from '#server/store/schema/database.ts'
import { CountDeltas, writeCounts } from './counts.ts'

/**
 * Ends the unfinished runs of monitors as unknown, because their ends or their deadlines cannot be known.
 * Their states must have no runs. Call inside a transaction.
 */
export async function endOpenRuns(
  tx: Tx,
  { projectId, monitorIds }: { projectId: number; monitorIds: readonly string[] },
): Promise<void> {
  const ended = await tx
    .updateTable('monitor_check_ins')
    .set('status', 'unknown')
    .where('project_id', '=', projectId)
    .where('monitor_id', 'in', monitorIds)
    .where('status', '=', 'in_progress')
    .returning(['monitor_id', 'environment', 'at'])
    .execute()
  const counts = new CountDeltas()
  for (const { monitor_id: monitorId, environment, at } of ended)
    counts.add({ monitorId, environment, status: 'unknown', at }, 1)
  await writeCounts(tx, projectId, counts)
}
