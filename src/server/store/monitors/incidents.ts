import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Monitor } from './monitors.ts'

/** A monitor starts to fail, or recovers. */
export interface IncidentChange {
  monitorId: string
  environment: string
  /** Unix milliseconds. */
  at: number
  isBegin: boolean
}

/** A period in which a monitor was failing. */
export interface MonitorIncident {
  monitorId: string
  /** Unix milliseconds. */
  beganAt: number
  /** Absent while it is failing. */
  endedAt?: number
}

/** Writes starts and ends of incidents in order. Call inside a transaction. */
export async function writeIncidents(
  tx: Tx,
  projectId: number,
  changes: readonly IncidentChange[],
): Promise<void> {
  for (const { monitorId, environment, at, isBegin } of changes) {
    if (isBegin)
      await tx
        .insertInto('monitor_incidents')
        .values({ project_id: projectId, monitor_id: monitorId, environment, began_at: at, ended_at: null })
        .onConflict((on) => on.doNothing())
        .execute()
    else
      await tx
        .updateTable('monitor_incidents')
        .set({ ended_at: at })
        .where('project_id', '=', projectId)
        .where('monitor_id', '=', monitorId)
        .where('environment', '=', environment)
        .where('ended_at', 'is', null)
        .execute()
  }
}

/** The incidents of monitors that had not ended at an instant, newest first. */
export async function listIncidents(
  db: Db,
  monitors: readonly Pick<Monitor, 'projectId' | 'id'>[],
  { since, limit }: { since: number; limit: number },
): Promise<MonitorIncident[]> {
  if (monitors.length === 0) return []
  const rows = await db
    .selectFrom('monitor_incidents')
    .select(['monitor_id', 'began_at', 'ended_at'])
    .where('project_id', 'in', [...new Set(monitors.map(({ projectId }) => projectId))])
    .where(
      'monitor_id',
      'in',
      monitors.map(({ id }) => id),
    )
    .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>=', since)]))
    .orderBy('began_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ monitor_id, began_at, ended_at }) => ({
    monitorId: monitor_id,
    beganAt: began_at,
    endedAt: ended_at ?? undefined,
  }))
}
