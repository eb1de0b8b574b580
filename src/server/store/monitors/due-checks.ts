import { isUptime, type UptimeSettings } from '#monitors/uptime.ts'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import { toMonitor, toMonitorEnvironment } from './monitors.ts'

/** A check that is due. */
export interface DueCheck {
  projectId: number
  monitorId: string
  /** The slot of the result. */
  slotAt: number
}

/** A check with its settings. */
export interface PlannedCheck extends DueCheck {
  settings: UptimeSettings
  /** True if a failure would be the first one: Culvert's own network is tested before it counts. */
  isFirstFailure: boolean
}

/** The checks that are due, oldest first. One statement, by index. */
export async function listDueChecks(db: Db, now: number): Promise<DueCheck[]> {
  const rows = await db
    .selectFrom('monitor_environments')
    .select(['project_id', 'monitor_id', 'check_at'])
    .where('check_at', '<=', now)
    .orderBy('check_at')
    .limit(limits.uptimeChecksAtOnce)
    .execute()
  return rows.flatMap(({ project_id, monitor_id, check_at }) =>
    check_at === null ? [] : [{ projectId: project_id, monitorId: monitor_id, slotAt: check_at }],
  )
}

/** Reads the settings of checks. Leaves out monitors that were changed meanwhile. */
export async function planChecks(db: Db, due: readonly DueCheck[]): Promise<PlannedCheck[]> {
  if (due.length === 0) return []
  const rows = await db
    .selectFrom('monitor_environments as e')
    .innerJoin('monitors as m', (on) =>
      on.onRef('m.project_id', '=', 'e.project_id').onRef('m.id', '=', 'e.monitor_id'),
    )
    .selectAll('m')
    .select(['e.monitor_id', 'e.environment', 'e.state', 'e.check_at'])
    .where('e.project_id', 'in', [...new Set(due.map(({ projectId }) => projectId))])
    .where(
      'e.monitor_id',
      'in',
      due.map(({ monitorId }) => monitorId),
    )
    .where('e.check_at', 'is not', null)
    .execute()
  const wanted = new Set(due.map(({ monitorId, slotAt }) => `${monitorId} ${slotAt}`))
  return rows.flatMap((row) => {
    const [monitor, environment] = [toMonitor(row), toMonitorEnvironment(row)]
    if (monitor === undefined || environment === undefined) return []
    const { settings, projectId, id: monitorId } = monitor
    const { state } = environment
    const slotAt = state.slot.at
    if (!isUptime(settings) || !wanted.has(`${monitorId} ${slotAt}`)) return []
    const isFirstFailure = !state.isFailing && state.failureCount === 0
    return { projectId, monitorId, slotAt, settings, isFirstFailure }
  })
}

/**
 * Uptime monitors whose latest check was a success, for testing Culvert's own network. Reads at most `limit`
 * of them.
 */
export async function listHealthyTargets(
  db: Db,
  { since, limit }: { since: number; limit: number },
): Promise<UptimeSettings['target'][]> {
  const rows = await db
    .selectFrom('monitor_environments as e')
    .innerJoin('monitors as m', (on) =>
      on.onRef('m.project_id', '=', 'e.project_id').onRef('m.id', '=', 'e.monitor_id'),
    )
    .selectAll('m')
    .select(['e.monitor_id', 'e.environment', 'e.state'])
    .where('e.check_at', '>=', since)
    .orderBy('e.check_at')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => {
    const [settings, state] = [toMonitor(row)?.settings, toMonitorEnvironment(row)?.state]
    const isHealthy = state?.lastStatus === 'ok' && !state.isFailing && state.failureCount === 0
    return isHealthy && settings !== undefined && isUptime(settings) ? [settings.target] : []
  })
}
