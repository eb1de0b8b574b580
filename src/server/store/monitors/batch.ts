import { randomBytes } from 'node:crypto'
import type { CheckIn, CheckInProblem } from '#monitors/check-in.ts'
import type { MonitorSettings } from '#monitors/schedule.ts'
import { applyCheckResult, type CheckResult } from '#monitors/uptime-verdicts.ts'
import {
  advance,
  applyCheckIn,
  reschedule,
  type CheckInChange,
  type CheckInStatus,
  type ClockGap,
  type MonitorSignal,
  type Verdicts,
} from '#monitors/verdicts.ts'
import { limits } from '#server/limits.ts'
import { forEachSlice } from '#server/store/row-slices.ts'
import type { Tx } from '#server/store/schema/database.ts'
import { CountDeltas } from './counts.ts'
import type { IncidentChange } from './incidents.ts'
import { createMonitor, isCronMonitor, type Monitor, type MonitorEnvironment } from './monitors.ts'

/** A row of `monitor_check_ins` to insert or to update. */
interface CheckInRow extends CheckInChange {
  monitorId: string
  environment: string
  release?: string | undefined
  traceId?: string | undefined
  body?: string | undefined
  /** The response of a check, as JSON. */
  seen?: string | undefined
}

/** The rows of a project that are read before the check-ins are applied. */
export interface KnownMonitors {
  projectId: number
  monitors: Monitor[]
  environments: MonitorEnvironment[]
  /** The check-ins with ids of the batch, by `keyOf`. */
  ended: Map<string, { status: CheckInStatus; startedAt: number }>
  gaps: readonly ClockGap[]
  /** Number of all monitors of the project, not only of those in `monitors`. */
  monitorCount: number
  /** The slugs of monitors that this version cannot read; their check-ins are rejected. */
  unreadableSlugs?: readonly string[]
}

/** The key of a check-in, or, without an id, of an environment. */
export function keyOf(monitorId: string, environment: string, id = ''): string {
  return JSON.stringify([monitorId, environment, id])
}

/** The changes of one transaction to the monitors of a project, in memory. */
export class MonitorBatch {
  readonly rows = new Map<string, CheckInRow>()
  readonly counts = new CountDeltas()
  readonly incidents: IncidentChange[] = []
  readonly signals: (MonitorSignal & { monitorId: string; environment: string })[] = []
  readonly changedMonitors = new Set<Monitor>()
  readonly changedEnvironments = new Set<MonitorEnvironment>()
  private readonly known: KnownMonitors
  private readonly bySlug: Map<string, Monitor>
  private readonly byId: Map<string, Monitor>
  private readonly environments: Map<string, MonitorEnvironment>
  private monitorCount: number

  constructor(known: KnownMonitors) {
    this.known = known
    this.bySlug = new Map(known.monitors.map((monitor) => [monitor.slug, monitor]))
    this.byId = new Map(known.monitors.map((monitor) => [monitor.id, monitor]))
    this.environments = new Map(
      known.environments.map((each) => [keyOf(each.monitorId, each.environment), each]),
    )
    this.monitorCount = known.monitorCount
  }

  monitorOf({ monitorId }: Pick<MonitorEnvironment, 'monitorId'>): Monitor | undefined {
    return this.byId.get(monitorId)
  }

  /** Ends the due slots and runs of an environment. */
  advance(environment: MonitorEnvironment, until: number): void {
    const monitor = this.byId.get(environment.monitorId)
    if (monitor === undefined || monitor.isPaused) return
    this.take({ monitor, environment }, advance(environment.state, until, this.contextOf(monitor)))
  }

  /** Applies a check-in. Returns the reason why it is rejected; undefined if it is stored. */
  apply(checkIn: CheckIn, receivedAt: number): CheckInProblem | undefined {
    const monitor = this.findMonitor(checkIn, receivedAt)
    if (typeof monitor === 'string') return monitor
    if (!isCronMonitor(monitor)) return 'monitor_uptime'
    if (checkIn.config !== undefined) this.configure(monitor, checkIn.config, receivedAt)
    const context = { ...this.contextOf(monitor), settings: monitor.settings }
    let environment = this.environments.get(keyOf(monitor.id, checkIn.environment))
    if (environment === undefined && this.countEnvironments(monitor) >= limits.monitorEnvironments)
      return 'monitor_environment_limit'
    if (environment !== undefined) this.advance(environment, receivedAt)
    const ended = this.findEnded(monitor, checkIn)
    const verdicts = applyCheckIn(environment?.state, { checkIn, receivedAt, ended }, context)
    if (typeof verdicts === 'string') return verdicts
    if (environment === undefined) {
      const { projectId } = this.known
      environment = {
        projectId,
        monitorId: monitor.id,
        environment: checkIn.environment,
        state: verdicts.state,
      }
      this.environments.set(keyOf(monitor.id, checkIn.environment), environment)
    }
    this.take({ monitor, environment }, verdicts, checkIn)
    return undefined
  }

  /** Applies the result of a check to its environment, unless its slot has ended. */
  applyResult(environment: MonitorEnvironment, result: CheckResult): void {
    const monitor = this.byId.get(environment.monitorId)
    if (monitor === undefined || monitor.isPaused) return
    const verdicts = applyCheckResult(environment.state, result, this.contextOf(monitor))
    if (verdicts === undefined) return
    const { traceId, seen } = result
    this.take({ monitor, environment }, verdicts, { traceId, seen: JSON.stringify(seen) })
  }

  /** The monitor of a check-in, created or changed by the check-in's settings. */
  private findMonitor({ slug, config }: CheckIn, at: number): Monitor | CheckInProblem {
    const known = this.bySlug.get(slug)
    if (known === undefined) {
      if (this.known.unreadableSlugs?.includes(slug) === true) return 'monitor_unreadable'
      if (config === undefined) return 'monitor_not_found'
      if (!config.ok) return config.reason
      if (this.monitorCount >= limits.monitorsPerProject) return 'monitor_limit'
      const { projectId } = this.known
      const monitor = createMonitor({ projectId, slug, name: slug, settings: config.settings, createdAt: at })
      this.monitorCount += 1
      this.bySlug.set(slug, monitor)
      this.byId.set(monitor.id, monitor)
      this.changedMonitors.add(monitor)
      return monitor
    }
    return known.isPaused ? 'monitor_disabled' : known
  }

  private configure(
    monitor: Monitor & { settings: MonitorSettings },
    config: NonNullable<CheckIn['config']>,
    at: number,
  ): void {
    const problem = config.ok ? undefined : config.problem
    if (monitor.configProblem !== problem) {
      monitor.configProblem = problem
      this.changedMonitors.add(monitor)
    }
    if (!config.ok) return
    // If the SDK's settings name no owner, the owner from the settings page remains.
    const settings = { ...config.settings, owner: config.settings.owner ?? monitor.settings.owner }
    if (JSON.stringify(settings) === JSON.stringify(monitor.settings)) return
    const before = JSON.stringify(monitor.settings.schedule)
    for (const each of this.environments.values()) if (each.monitorId === monitor.id) this.advance(each, at)
    monitor.settings = settings
    this.changedMonitors.add(monitor)
    if (JSON.stringify(settings.schedule) === before) return
    for (const each of this.environments.values()) {
      if (each.monitorId !== monitor.id) continue
      each.state = reschedule(each.state, monitor.settings, at)
      this.changedEnvironments.add(each)
    }
  }

  private countEnvironments(monitor: Monitor): number {
    return [...this.environments.values()].filter(({ monitorId }) => monitorId === monitor.id).length
  }

  private findEnded(monitor: Monitor, { id, environment }: CheckIn) {
    if (id === undefined) return undefined
    const key = keyOf(monitor.id, environment, id)
    const row = this.rows.get(key)
    const found = row ? { status: row.status, startedAt: row.at } : this.known.ended.get(key)
    return found?.status === 'in_progress' ? undefined : found
  }

  private noteIncident(environment: MonitorEnvironment, signals: readonly MonitorSignal[]): void {
    const { monitorId, environment: name } = environment
    const [first] = signals
    if (first !== undefined)
      this.incidents.push({ monitorId, environment: name, at: first.at, isBegin: first.kind === 'failed' })
  }

  /** Counts the end of a run. An end that follows an unknown end, or a timeout, has already been counted. */
  private count(key: string, row: CheckInRow): void {
    const before = this.rows.get(key)?.status ?? this.known.ended.get(key)?.status
    if (before === row.status) return
    if (before !== undefined) this.counts.add({ ...row, status: before, durationMs: undefined }, -1)
    this.counts.add(row, 1)
  }

  private contextOf({ settings }: Monitor) {
    return { settings, gaps: this.known.gaps, createId: () => randomBytes(16).toString('hex') }
  }

  private take(
    { monitor, environment }: { monitor: Monitor; environment: MonitorEnvironment },
    { state, changes, signals }: Verdicts,
    sent: SentWith = {},
  ): void {
    if (state.isFailing !== environment.state.isFailing) this.noteIncident(environment, signals)
    environment.state = state
    this.changedEnvironments.add(environment)
    const source = { monitorId: monitor.id, environment: environment.environment }
    for (const change of changes) {
      const key = keyOf(monitor.id, environment.environment, change.id)
      const { release, traceId, body, seen } = sent
      const row = { ...source, ...change, release, traceId, body, seen }
      this.count(key, row)
      this.rows.set(key, mergeRows(this.rows.get(key), row))
    }
    // An issue from before the mute is still resolved.
    for (const signal of signals)
      if (!monitor.isMuted || signal.kind === 'recovered') this.signals.push({ ...signal, ...source })
  }
}

/** The columns of a check-in other than those of its end. */
type SentWith = Pick<CheckInRow, 'release' | 'traceId' | 'body' | 'seen'>

/** A run that begins and ends in one transaction is written as one row. */
function mergeRows(before: CheckInRow | undefined, after: CheckInRow): CheckInRow {
  if (before === undefined) return after
  return {
    ...after,
    isNew: before.isNew,
    slotAt: before.slotAt ?? after.slotAt,
    release: after.release ?? before.release,
    traceId: after.traceId ?? before.traceId,
    body: after.body ?? before.body,
  }
}

/** Writes rows of check-ins, each once. Call inside a transaction. */
export async function writeCheckIns(tx: Tx, projectId: number, rows: readonly CheckInRow[]): Promise<void> {
  await forEachSlice(rows, (slice) =>
    tx
      .insertInto('monitor_check_ins')
      .values(
        slice.map((row) => ({
          project_id: projectId,
          monitor_id: row.monitorId,
          environment: row.environment,
          id: row.id,
          at: row.at,
          slot_at: row.slotAt ?? null,
          status: row.status,
          finished_at: row.finishedAt ?? null,
          duration_ms: row.durationMs ?? null,
          release: row.release ?? null,
          trace_id: row.traceId ?? null,
          body: row.body ?? null,
          seen: row.seen ?? null,
        })),
      )
      .onConflict((on) =>
        on.columns(['project_id', 'id', 'monitor_id', 'environment']).doUpdateSet((is) => ({
          status: is.ref('excluded.status'),
          finished_at: is.ref('excluded.finished_at'),
          duration_ms: is.ref('excluded.duration_ms'),
          body: is.fn.coalesce('excluded.body', 'monitor_check_ins.body'),
        })),
      )
      .execute(),
  )
}
