import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { CheckResult } from '#monitors/uptime-verdicts.ts'
import {
  checkInStatuses,
  forgetRuns,
  reschedule,
  type ClockGap,
  type CheckInStatus,
} from '#monitors/verdicts.ts'
import { limits } from '#server/limits.ts'
import type { ProjectFailures } from '#server/store/project-failures.ts'
import { forEachSlice } from '#server/store/row-slices.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { createActivityId } from '#server/store/triage/activity.ts'
import { hourOf } from '#time/time-steps.ts'
import { keyOf, MonitorBatch, writeCheckIns, type KnownMonitors } from './batch.ts'
import { lockClock } from './clock-row.ts'
import { writeCounts } from './counts.ts'
import { writeIncidents } from './incidents.ts'
import {
  countMonitors,
  fromMonitor,
  toMonitor,
  toMonitorEnvironment,
  writeEnvironments,
  type Monitor,
  type MonitorEnvironment,
} from './monitors.ts'
import { endOpenRuns } from './open-runs.ts'
import { parseQueuedCheckIn } from './queue.ts'

/** The input of a step of the clock. `now`: Unix milliseconds. */
export interface MonitorStep {
  now: number
  gaps: readonly ClockGap[]
  failures: ProjectFailures
}

/** True if the clock has work: two reads of one row. */
export async function hasMonitorWork(db: Db): Promise<boolean> {
  const queued = await db.selectFrom('monitor_queue').select('id').limit(1).executeTakeFirst()
  if (queued !== undefined) return true
  return (await db.selectFrom('monitors').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Applies the oldest queued check-ins, in one transaction per project. Returns their number. */
export async function applyQueue(store: Store, step: MonitorStep): Promise<number> {
  const { failures } = step
  const waiting = await store.db
    .selectFrom('monitor_queue')
    .select(['project_id', 'id'])
    .$if(failures.projectIds.length > 0, (of) => of.where('project_id', 'not in', failures.projectIds))
    .orderBy('project_id')
    .orderBy('id')
    .limit(limits.monitorsAtOnce)
    .execute()
  for (const [projectId, rows] of Map.groupBy(waiting, (row) => row.project_id)) {
    const ids = rows.map(({ id }) => id)
    await inProject(store, projectId, {
      ...step,
      work: (tx) => applyProjectQueue(tx, { projectId, ids }, step),
    })
  }
  return waiting.length
}

async function applyProjectQueue(
  tx: Tx,
  { projectId, ids }: { projectId: number; ids: readonly string[] },
  { gaps }: MonitorStep,
): Promise<void> {
  const rows = await tx
    .selectFrom('monitor_queue')
    .select(['id', 'received_at', 'data'])
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  if (rows.length === 0) return
  const received = rows.flatMap((row) => {
    const checkIn = parseQueuedCheckIn(row)
    return checkIn === undefined ? [] : [{ checkIn, at: row.received_at }]
  })
  const slugs = [...new Set(received.map(({ checkIn }) => checkIn.slug))]
  const { monitors, unreadable } = await listMonitorsWhere(tx, projectId, { slugs })
  const ended = await readEnded(
    tx,
    projectId,
    received.flatMap(({ checkIn }) => checkIn.id ?? []),
  )
  const isCounted = slugs.length > monitors.length
  const monitorCount = isCounted ? await countMonitors(tx, projectId) : monitors.length
  const environments = await listEnvironments(tx, projectId, monitors)
  const known = { projectId, monitors, environments, ended, gaps, monitorCount }
  const batch = new MonitorBatch({ ...known, unreadableSlugs: unreadable.map(({ slug }) => slug) })
  const ends = received.map(({ checkIn, at }) => ({ at, problem: batch.apply(checkIn, at) }))
  await writeMonitorBatch(tx, projectId, batch)
  await countOutcomes(tx, projectId, ends)
  await tx.deleteFrom('monitor_queue').where('project_id', '=', projectId).where('id', 'in', ids).execute()
}

/** Runs a transaction for the monitors of a project. */
function inProject(
  store: Store,
  projectId: number,
  { now, failures, work }: Pick<MonitorStep, 'now' | 'failures'> & { work: (tx: Tx) => Promise<void> },
): Promise<void> {
  return failures.attempt(projectId, () =>
    store.writer.transaction().execute(async (tx) => {
      await lockClock(tx, now)
      await work(tx)
    }),
  )
}

/** Ends the slots and runs that are due. Returns the number of environments. */
export async function endDueSlots(store: Store, step: MonitorStep): Promise<number> {
  const { now, gaps, failures } = step
  const until = now - limits.monitorSettleMs
  const due = await store.db
    .selectFrom('monitor_environments')
    .select(['project_id', 'monitor_id', 'environment'])
    .where('wake_at', '<=', until)
    .$if(failures.projectIds.length > 0, (of) => of.where('project_id', 'not in', failures.projectIds))
    .orderBy('wake_at')
    .limit(limits.monitorsAtOnce)
    .execute()
  for (const [projectId, rows] of Map.groupBy(due, (row) => row.project_id)) {
    const monitorIds = [...new Set(rows.map(({ monitor_id }) => monitor_id))]
    const work = async (tx: Tx) => {
      const { monitors, unreadable } = await listMonitorsWhere(tx, projectId, { ids: monitorIds })
      const environments = await listEnvironments(tx, projectId, monitors)
      const known = { projectId, monitors, environments, ended: new Map(), gaps }
      const batch = new MonitorBatch({ ...known, monitorCount: monitors.length })
      for (const environment of environments) batch.advance(environment, until)
      await writeMonitorBatch(tx, projectId, batch)
      await forgetOrphans(tx, projectId, { monitorIds, monitors: [...monitors, ...unreadable] })
      await postponeUnreadable(tx, projectId, { due: rows, environments, now })
    }
    await inProject(store, projectId, { ...step, work })
  }
  return due.length
}

/** The result of a check, and its monitor. */
export interface MonitorResult extends CheckResult {
  projectId: number
  monitorId: string
}

/**
 * Applies results of checks, in one transaction per project, unless the project's monitors have failed in
 * this tick. A slot that has ended is not changed.
 */
export async function recordCheckResults(
  store: Store,
  results: readonly MonitorResult[],
  step: MonitorStep,
): Promise<void> {
  for (const [projectId, ofProject] of Map.groupBy(results, (result) => result.projectId)) {
    if (step.failures.has(projectId)) continue
    const ids = [...new Set(ofProject.map(({ monitorId }) => monitorId))]
    const work = async (tx: Tx) => {
      const { monitors } = await listMonitorsWhere(tx, projectId, { ids })
      const environments = await listEnvironments(tx, projectId, monitors)
      const known = { projectId, monitors, environments, ended: new Map(), gaps: step.gaps }
      const batch = new MonitorBatch({ ...known, monitorCount: monitors.length })
      for (const result of ofProject) {
        const environment = environments.find(({ monitorId }) => monitorId === result.monitorId)
        if (environment !== undefined) batch.applyResult(environment, result)
      }
      await writeMonitorBatch(tx, projectId, batch)
    }
    await inProject(store, projectId, { ...step, work })
  }
}

/** The ids of all projects with monitors. One statement. */
export async function listMonitoredProjects(db: Db): Promise<number[]> {
  const projects = await db.selectFrom('monitors').select('project_id').distinct().execute()
  return projects.map(({ project_id: projectId }) => projectId)
}

/** Restarts the slots of a project that were created with a wrong clock. */
export function restartSlots(
  store: Store,
  step: Pick<MonitorStep, 'now' | 'failures'>,
  { projectId, kind }: { projectId: number; kind: 'all' | 'uptime' },
): Promise<void> {
  const { now } = step
  return inProject(store, projectId, { ...step, work: (tx) => restartSlotsOf(tx, projectId, { now, kind }) })
}

async function restartSlotsOf(
  tx: Tx,
  projectId: number,
  { now, kind }: { now: number; kind: 'all' | 'uptime' },
): Promise<void> {
  let monitors = tx
    .selectFrom('monitors')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('is_paused', '=', 0)
  if (kind !== 'all') monitors = monitors.where('kind', '=', kind)
  const rows = await monitors.execute()
  const readable = rows.flatMap((row) => toMonitor(row) ?? [])
  const byId = new Map(readable.map((monitor) => [monitor.id, monitor]))
  const environments = await listEnvironments(tx, projectId, readable)
  const restarted = environments.flatMap((each) => {
    const monitor = byId.get(each.monitorId)
    const state = monitor && forgetRuns(reschedule(each.state, monitor.settings, now))
    return state === undefined ? [] : [{ ...each, state }]
  })
  await writeEnvironments(tx, restarted, ({ monitorId }) => byId.get(monitorId))
  // Their deadlines are based on the wrong clock.
  await endOpenRuns(tx, { projectId, monitorIds: [...byId.keys()] })
}

/** Removes environments of monitors that were deleted meanwhile. */
async function forgetOrphans(
  tx: Tx,
  projectId: number,
  { monitorIds, monitors }: { monitorIds: readonly string[]; monitors: readonly Pick<Monitor, 'id'>[] },
): Promise<void> {
  const known = new Set(monitors.map(({ id }) => id))
  const lost = monitorIds.filter((id) => !known.has(id))
  if (lost.length === 0) return
  await tx
    .deleteFrom('monitor_environments')
    .where('project_id', '=', projectId)
    .where('monitor_id', 'in', lost)
    .execute()
}

/**
 * Postpones environments that this version cannot read, or whose monitor it cannot read. Otherwise they would
 * stay the oldest that are due.
 */
async function postponeUnreadable(
  tx: Tx,
  projectId: number,
  {
    due,
    environments,
    now,
  }: {
    due: readonly { monitor_id: string; environment: string }[]
    environments: readonly MonitorEnvironment[]
    now: number
  },
): Promise<void> {
  const readable = new Set(environments.map((each) => keyOf(each.monitorId, each.environment)))
  for (const { monitor_id: monitorId, environment } of due) {
    if (readable.has(keyOf(monitorId, environment))) continue
    const at = now + limits.monitorUnreadableMs
    await tx
      .updateTable('monitor_environments')
      .set({
        wake_at: at,
        check_at: sql<number | null>`case when check_at is null then null else cast(${at} as bigint) end`,
      })
      .where('project_id', '=', projectId)
      .where('monitor_id', '=', monitorId)
      .where('environment', '=', environment)
      .execute()
  }
}

async function writeMonitorBatch(tx: Tx, projectId: number, batch: MonitorBatch): Promise<void> {
  await writeMonitors(tx, [...batch.changedMonitors])
  await writeCheckIns(tx, projectId, [...batch.rows.values()])
  await writeCounts(tx, projectId, batch.counts)
  await writeIncidents(tx, projectId, batch.incidents)
  await writeEnvironments(tx, [...batch.changedEnvironments], (each) => batch.monitorOf(each))
  const signals = batch.signals.map(({ monitorId, environment, ...signal }, index) => ({
    project_id: projectId,
    // In the order of creation.
    id: `${createActivityId(signal.at).slice(0, 9)}-${String(index).padStart(6, '0')}-${randomBytes(4).toString('hex')}`,
    monitor_id: monitorId,
    environment,
    signal: JSON.stringify(signal),
    event_id: randomBytes(16).toString('hex'),
  }))
  await forEachSlice(signals, (slice) => tx.insertInto('monitor_signals').values(slice).execute())
}

/** Inserts or updates monitors. Call inside a transaction. */
async function writeMonitors(tx: Tx, monitors: readonly Monitor[]): Promise<void> {
  if (monitors.length === 0) return
  await tx
    .insertInto('monitors')
    .values(monitors.map(fromMonitor))
    .onConflict((on) =>
      on.columns(['project_id', 'id']).doUpdateSet((is) => ({
        name: is.ref('excluded.name'),
        settings: is.ref('excluded.settings'),
        is_paused: is.ref('excluded.is_paused'),
        is_muted: is.ref('excluded.is_muted'),
        config_problem: is.ref('excluded.config_problem'),
      })),
    )
    .execute()
}

async function listMonitorsWhere(
  tx: Tx,
  projectId: number,
  { slugs, ids }: { slugs?: readonly string[]; ids?: readonly string[] },
): Promise<{ monitors: Monitor[]; unreadable: Pick<Monitor, 'id' | 'slug'>[] }> {
  const [column, values] = slugs === undefined ? (['id', ids ?? []] as const) : (['slug', slugs] as const)
  if (values.length === 0) return { monitors: [], unreadable: [] }
  const rows = await tx
    .selectFrom('monitors')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(column, 'in', values)
    .execute()
  const monitors = rows.flatMap((row) => toMonitor(row) ?? [])
  const readable = new Set(monitors.map(({ id }) => id))
  return { monitors, unreadable: rows.filter(({ id }) => !readable.has(id)) }
}

async function listEnvironments(
  tx: Tx,
  projectId: number,
  monitors: readonly Monitor[],
): Promise<MonitorEnvironment[]> {
  if (monitors.length === 0) return []
  const rows = await tx
    .selectFrom('monitor_environments')
    .select(['project_id', 'monitor_id', 'environment', 'state'])
    .where('project_id', '=', projectId)
    .where(
      'monitor_id',
      'in',
      monitors.map(({ id }) => id),
    )
    .execute()
  return rows.flatMap((row) => toMonitorEnvironment(row) ?? [])
}

async function readEnded(tx: Tx, projectId: number, ids: readonly string[]): Promise<KnownMonitors['ended']> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .selectFrom('monitor_check_ins')
    .select(['monitor_id', 'environment', 'id', 'status', 'at'])
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ monitor_id, environment, id, status, at }) => [
      keyOf(monitor_id, environment, id),
      { status: toStatus(status), startedAt: at },
    ]),
  )
}

/** Parses a column `status`. */
function toStatus(text: string): CheckInStatus {
  return checkInStatuses.find((status) => status === text) ?? 'unknown'
}

/** Counts the outcomes of check-ins, in the transaction that applies them. */
async function countOutcomes(
  tx: Tx,
  projectId: number,
  ends: readonly { at: number; problem: string | undefined }[],
): Promise<void> {
  const counts = Map.groupBy(ends, ({ at, problem }) => JSON.stringify([hourOf(at), problem ?? '']))
  const rows = [...counts.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { at, problem } = first
    return {
      project_id: projectId,
      hour: hourOf(at),
      category: 'monitor',
      outcome: problem === undefined ? 'accepted' : 'invalid',
      reason: problem ?? '',
      quantity: group.length,
    }
  })
  if (rows.length === 0) return
  await tx
    .insertInto('outcome_hours')
    .values(rows.toSorted((one, other) => one.hour - other.hour || (one.reason < other.reason ? -1 : 1)))
    .onConflict((on) =>
      on.columns(['project_id', 'hour', 'category', 'outcome', 'reason']).doUpdateSet((is) => ({
        quantity: is('outcome_hours.quantity', '+', is.ref('excluded.quantity')),
      })),
    )
    .execute()
}
