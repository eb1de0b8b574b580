import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { monitorSettings, type MonitorSettings } from '#monitors/schedule.ts'
import { isUptime, uptimeSettings, type StoredSettings } from '#monitors/uptime.ts'
import { monitorState, wakeAtOf, type MonitorState } from '#monitors/verdicts.ts'
import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import { forEachSlice } from '#server/store/row-slices.ts'
import type { Database, Db, Tx } from '#server/store/schema/database.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'

/** A stored monitor. */
export interface Monitor {
  projectId: number
  id: string
  slug: string
  name: string
  settings: StoredSettings
  isPaused: boolean
  isMuted: boolean
  badgeSecret: string
  configProblem?: string
  /** Its name on the public status page; absent if it is not listed there. */
  publicName?: string
  /** Unix milliseconds. */
  createdAt: number
}

/** True for a monitor of check-ins. */
export function isCronMonitor<T extends Pick<Monitor, 'settings'>>(
  monitor: T,
): monitor is T & { settings: MonitorSettings } {
  return !isUptime(monitor.settings)
}

/** The state of a monitor in an environment. */
export interface MonitorEnvironment {
  projectId: number
  monitorId: string
  environment: string
  state: MonitorState
}

const settingsText = v.pipe(v.string(), v.parseJson(), monitorSettings)
const uptimeText = v.pipe(v.string(), v.parseJson(), uptimeSettings)
/** By kind and JSON. Many monitors have the same settings, and every check-in reads them. */
const parsedSettings = new BoundedMap<string, StoredSettings>(limits.cachedMonitorSettings)

/** Parses the columns `kind` and `settings`. The result is shared: do not modify it. */
function parseSettings({
  id,
  kind,
  settings,
}: Pick<Selectable<Database['monitors']>, 'id' | 'kind' | 'settings'>): StoredSettings | undefined {
  const known = parsedSettings.get(`${kind} ${settings}`)
  if (known !== undefined) return known
  const of = { table: 'monitors', id }
  const parsed =
    kind === 'uptime' ? parseColumn(uptimeText, settings, of) : parseColumn(settingsText, settings, of)
  if (parsed !== undefined) parsedSettings.set(`${kind} ${settings}`, parsed)
  return parsed
}

const stateText = v.pipe(v.string(), v.parseJson(), monitorState)

/** Parses a row; undefined if this version cannot read it. */
export function toMonitor(row: Selectable<Database['monitors']>): Monitor | undefined {
  const settings = parseSettings(row)
  if (settings === undefined) return undefined
  return {
    projectId: row.project_id,
    id: row.id,
    slug: row.slug,
    name: row.name,
    settings,
    isPaused: row.is_paused === 1,
    isMuted: row.is_muted === 1,
    badgeSecret: row.badge_secret,
    configProblem: row.config_problem ?? undefined,
    publicName: row.public_name ?? undefined,
    createdAt: row.created_at,
  }
}

/** The row of a monitor. */
export function fromMonitor(monitor: Monitor) {
  return {
    project_id: monitor.projectId,
    id: monitor.id,
    slug: monitor.slug,
    name: monitor.name,
    kind: isUptime(monitor.settings) ? 'uptime' : 'cron',
    settings: JSON.stringify(monitor.settings),
    is_paused: monitor.isPaused ? 1 : 0,
    is_muted: monitor.isMuted ? 1 : 0,
    badge_secret: monitor.badgeSecret,
    config_problem: monitor.configProblem ?? null,
    public_name: monitor.publicName ?? null,
    created_at: monitor.createdAt,
  }
}

/** Creates a monitor. */
export function createMonitor(
  given: Pick<Monitor, 'projectId' | 'slug' | 'name' | 'settings' | 'createdAt'>,
): Monitor {
  return {
    ...given,
    id: randomBytes(16).toString('hex'),
    badgeSecret: randomBytes(16).toString('hex'),
    isPaused: false,
    isMuted: false,
  }
}

/** Parses a row of `monitor_environments`; undefined if this version cannot read it. */
export function toMonitorEnvironment(
  row: Pick<
    Selectable<Database['monitor_environments']>,
    'project_id' | 'monitor_id' | 'environment' | 'state'
  >,
): MonitorEnvironment | undefined {
  const { project_id: projectId, monitor_id: monitorId, environment } = row
  const of = { table: 'monitor_environments', id: `${monitorId} ${environment}` }
  const state = parseColumn(stateText, row.state, of)
  return state && { projectId, monitorId, environment, state }
}

/** Writes the states of monitors in environments. Call inside a transaction. */
export async function writeEnvironments(
  tx: Tx,
  environments: readonly MonitorEnvironment[],
  monitorOf: (environment: MonitorEnvironment) => Pick<Monitor, 'isPaused' | 'settings'> | undefined,
): Promise<void> {
  await forEachSlice(environments, (slice) =>
    tx
      .insertInto('monitor_environments')
      .values(
        slice.map((each) => ({
          project_id: each.projectId,
          monitor_id: each.monitorId,
          environment: each.environment,
          state: JSON.stringify(each.state),
          ...toDueTimes(each.state, monitorOf(each)),
          latest_event_id: null,
          issue_id: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'monitor_id', 'environment']).doUpdateSet((is) => ({
          state: is.ref('excluded.state'),
          wake_at: is.ref('excluded.wake_at'),
          check_at: is.ref('excluded.check_at'),
        })),
      )
      .execute(),
  )
}

/** When the next slot or run ends; never for a paused or deleted monitor. */
function toDueTimes(state: MonitorState, monitor: Pick<Monitor, 'isPaused' | 'settings'> | undefined) {
  if (monitor === undefined || monitor.isPaused) return { wake_at: null, check_at: null }
  return { wake_at: wakeAtOf(state), check_at: isUptime(monitor.settings) ? state.slot.at : null }
}

/** The number of a project's monitors. */
export async function countMonitors(db: Db, projectId: number): Promise<number> {
  const row = await db
    .selectFrom('monitors')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return row.count
}
