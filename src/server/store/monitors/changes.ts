import { createUptimeState } from '#monitors/uptime-verdicts.ts'
import { isUptime, type StoredSettings } from '#monitors/uptime.ts'
import { forgetRuns, reschedule } from '#monitors/verdicts.ts'
import { limits } from '#server/limits.ts'
import type { ProjectFailures } from '#server/store/project-failures.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { lockClock } from './clock-row.ts'
import {
  countMonitors,
  createMonitor,
  fromMonitor,
  toMonitor,
  toMonitorEnvironment,
  writeEnvironments,
  type Monitor,
} from './monitors.ts'
import { endOpenRuns } from './open-runs.ts'

/** Identifies a monitor. */
export interface MonitorReference {
  projectId: number
  monitorId: string
}

/** Creates a monitor before its first check-in. An uptime monitor is checked immediately. */
export async function recordNewMonitor(
  store: Store,
  given: Pick<Monitor, 'projectId' | 'slug' | 'name' | 'settings'>,
  now: number,
): Promise<'created' | 'slug_in_use' | 'too_many'> {
  return store.writer.transaction().execute(async (tx) => {
    await lockClock(tx, now)
    if ((await countMonitors(tx, given.projectId)) >= limits.monitorsPerProject) return 'too_many'
    const monitor = createMonitor({ ...given, createdAt: now })
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('monitors')
      .values(fromMonitor(monitor))
      .onConflict((on) => on.columns(['project_id', 'slug']).doNothing())
      .executeTakeFirst()
    if (Number(numInsertedOrUpdatedRows) === 0) return 'slug_in_use'
    const { projectId, id: monitorId, settings } = monitor
    if (isUptime(settings)) {
      const state = createUptimeState(settings, now)
      const { environment } = settings
      await writeEnvironments(tx, [{ projectId, monitorId, environment, state }], () => monitor)
    }
    return 'created'
  })
}

/**
 * Creates the states of uptime monitors that have none, because only their settings were restored after the
 * database was damaged. They are checked immediately. `now`: Unix milliseconds.
 */
export async function restoreUptimeStates(
  store: Store,
  { now, failures }: { now: number; failures: ProjectFailures },
): Promise<void> {
  const unchecked = await selectUnchecked(store.db).execute()
  for (const projectId of new Set(unchecked.map((row) => row.project_id)))
    await failures.attempt(projectId, () => restoreStatesOf(store, projectId, now))
}

async function restoreStatesOf(store: Store, projectId: number, now: number): Promise<void> {
  await store.writer.transaction().execute(async (tx) => {
    await lockClock(tx, now)
    const rows = await selectUnchecked(tx).where('m.project_id', '=', projectId).execute()
    const byId = new Map(rows.flatMap((row) => toMonitor(row) ?? []).map((each) => [each.id, each]))
    const environments = [...byId.values()].flatMap(({ id: monitorId, settings }) => {
      if (!isUptime(settings)) return []
      const { environment } = settings
      return { projectId, monitorId, environment, state: createUptimeState(settings, now) }
    })
    await writeEnvironments(tx, environments, ({ monitorId }) => byId.get(monitorId))
  })
}

function selectUnchecked(db: Db) {
  return db
    .selectFrom('monitors as m')
    .selectAll('m')
    .where('m.kind', '=', 'uptime')
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('monitor_environments as e')
            .select('e.monitor_id')
            .whereRef('e.project_id', '=', 'm.project_id')
            .whereRef('e.monitor_id', '=', 'm.id'),
        ),
      ),
    )
}

/** A user's changes of a monitor. */
export interface MonitorChange {
  name?: string
  settings?: StoredSettings
  isPaused?: boolean
  isMuted?: boolean
}

/**
 * Changes a monitor. Its slots restart after a change of settings, and after a pause, which also ends its
 * unfinished runs as unknown. The results of an uptime monitor follow its environment. Returns false if there
 * is no such monitor that this version can read.
 */
export async function recordMonitorChange(
  store: Store,
  { projectId, monitorId }: MonitorReference,
  { change, now }: { change: MonitorChange; now: number },
): Promise<boolean> {
  return store.writer.transaction().execute(async (tx) => {
    await lockClock(tx, now)
    const row = await tx
      .selectFrom('monitors')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('id', '=', monitorId)
      .executeTakeFirst()
    const before = row && toMonitor(row)
    if (before === undefined) return false
    const after = { ...before, ...change }
    const values = fromMonitor(after)
    await tx
      .updateTable('monitors')
      .set(values)
      .where('project_id', '=', projectId)
      .where('id', '=', monitorId)
      .execute()
    if (isUptime(before.settings) && isUptime(after.settings))
      await renameEnvironment(tx, before, {
        from: before.settings.environment,
        to: after.settings.environment,
      })
    const isSame = withoutOwner(before.settings) === withoutOwner(after.settings)
    if (isSame && change.isPaused === undefined) return true
    const environments = await tx
      .selectFrom('monitor_environments')
      .select(['project_id', 'monitor_id', 'environment', 'state'])
      .where('project_id', '=', projectId)
      .where('monitor_id', '=', monitorId)
      .execute()
    // The ends of runs are rejected during a pause.
    const isOtherPause = after.isPaused !== before.isPaused
    const changed = environments.flatMap((each) => {
      const environment = toMonitorEnvironment(each)
      if (environment === undefined) return []
      const state = reschedule(environment.state, after.settings, now)
      environment.state = isOtherPause ? forgetRuns(state) : state
      return environment
    })
    await writeEnvironments(tx, changed, () => after)
    if (isOtherPause) await endOpenRuns(tx, { projectId, monitorIds: [monitorId] })
    return true
  })
}

/** The tables with the environment of a monitor. */
const environmentTables = [
  'monitor_environments',
  'monitor_check_ins',
  'monitor_counts',
  'monitor_incidents',
  'monitor_signals',
] as const

/** Moves the state and the results of an uptime monitor to the new name of its only environment. */
async function renameEnvironment(
  tx: Tx,
  { projectId, id: monitorId }: Pick<Monitor, 'projectId' | 'id'>,
  { from, to }: { from: string; to: string },
): Promise<void> {
  if (from === to) return
  for (const table of environmentTables)
    await tx
      .updateTable(table)
      .set({ environment: to })
      .where('project_id', '=', projectId)
      .where('monitor_id', '=', monitorId)
      .where('environment', '=', from)
      .execute()
}

/** The settings that determine the slots, for comparison. */
function withoutOwner(settings: StoredSettings): string {
  return JSON.stringify({ ...settings, owner: undefined })
}

/** Deletes a monitor with its check-ins. Its issues remain. */
export async function recordMonitorDeletion(
  store: Store,
  { projectId, monitorId }: MonitorReference,
  now: number,
): Promise<void> {
  await store.writer.transaction().execute(async (tx) => {
    await lockClock(tx, now)
    for (const table of [
      'monitor_check_ins',
      'monitor_counts',
      'monitor_incidents',
      'monitor_environments',
    ] as const)
      await tx
        .deleteFrom(table)
        .where('project_id', '=', projectId)
        .where('monitor_id', '=', monitorId)
        .execute()
    await tx.deleteFrom('monitors').where('project_id', '=', projectId).where('id', '=', monitorId).execute()
  })
}
