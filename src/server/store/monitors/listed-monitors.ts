import { sql } from 'kysely'
import * as v from 'valibot'
import { checkSeen, type CheckSeen } from '#monitors/uptime.ts'
import { checkInStatuses, type CheckInStatus } from '#monitors/verdicts.ts'
import { sortByName } from '#server/store/name-order.ts'
import type { Db } from '#server/store/schema/database.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'
import { toMonitor, toMonitorEnvironment, type Monitor, type MonitorEnvironment } from './monitors.ts'
import type { CheckInRecord, MonitorKind } from './records.ts'

/** A monitor and its project. */
export interface ListedMonitor extends Monitor {
  project: { id: number; slug: string; name: string }
}

/** An environment of a monitor, and the issue of its failures. */
export interface ListedEnvironment extends MonitorEnvironment {
  issueId?: number
}

const seenText = v.pipe(v.string(), v.parseJson(), checkSeen)

/** Parses the response of a check; undefined without one, or if this version cannot read it. */
export function parseSeen({ id, seen }: { id: string; seen: string | null }): CheckSeen | undefined {
  return seen === null ? undefined : parseColumn(seenText, seen, { table: 'monitor_check_ins', id })
}

const columns = ['p.slug as project_slug', 'p.name as project_name'] as const

/** Selects the monitors to list. */
export interface MonitorListPage {
  projectIds: readonly number[]
  /** Absent for both kinds. */
  kind?: MonitorKind | undefined
  limit: number
  offset: number
}

/** A monitor that this version cannot read. */
export type UnreadableMonitor = Pick<ListedMonitor, 'id' | 'name' | 'project'>

/** A page of monitors. */
export interface ListedMonitors {
  monitors: ListedMonitor[]
  unreadable: UnreadableMonitor[]
  hasNext: boolean
}

/** Monitors of projects, by project and slug: `job-2` before `job-10`. */
export async function listMonitors(
  db: Db,
  { projectIds, kind, limit, offset }: MonitorListPage,
): Promise<ListedMonitors> {
  if (projectIds.length === 0) return { monitors: [], unreadable: [], hasNext: false }
  let query = db
    .selectFrom('monitors as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .selectAll('m')
    .select(columns)
    .where('m.project_id', 'in', projectIds)
  if (kind !== undefined) query = query.where('m.kind', '=', kind)
  const rows = await query
    .orderBy('p.slug')
    .orderBy(sql`rtrim(m.slug, '0123456789')`)
    .orderBy(sql`length(m.slug)`)
    .orderBy('m.slug')
    .limit(limit + 1)
    .offset(offset)
    .execute()
  const monitors: ListedMonitor[] = []
  const unreadable: UnreadableMonitor[] = []
  for (const row of rows.slice(0, limit)) {
    const monitor = toListed(row)
    if (monitor === undefined) unreadable.push({ id: row.id, name: row.name, project: toProject(row) })
    else monitors.push(monitor)
  }
  return { monitors, unreadable, hasNext: rows.length > limit }
}

type ListedRow = Parameters<typeof toMonitor>[0] & { project_slug: string; project_name: string }

/** Undefined if this version cannot read it. */
function toListed(row: ListedRow): ListedMonitor | undefined {
  const monitor = toMonitor(row)
  return monitor && { ...monitor, project: toProject(row) }
}

function toProject(row: ListedRow): ListedMonitor['project'] {
  return { id: row.project_id, slug: row.project_slug, name: row.project_name }
}

/** A monitor by project and slug; undefined if the viewer's projects do not have it. */
export async function findMonitor(
  db: Db,
  { projectIds, projectSlug, slug }: { projectIds: readonly number[]; projectSlug: string; slug: string },
): Promise<ListedMonitor | undefined> {
  if (projectIds.length === 0) return undefined
  const row = await db
    .selectFrom('projects as p')
    .innerJoin('monitors as m', 'm.project_id', 'p.id')
    .selectAll('m')
    .select(columns)
    .where('p.id', 'in', projectIds)
    .where('p.slug', '=', projectSlug)
    .where('m.slug', '=', slug)
    .executeTakeFirst()
  return row && toListed(row)
}

/** At most two monitors of a kind with a slug or an id: only a project’s slugs are unique. One statement. */
export async function listMonitorsBySlug(
  db: Db,
  { projectIds, kind, name }: { projectIds: readonly number[]; kind: MonitorKind; name: string },
): Promise<ListedMonitor[]> {
  if (projectIds.length === 0) return []
  const rows = await db
    .selectFrom('monitors as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .selectAll('m')
    .select(columns)
    .where('m.project_id', 'in', projectIds)
    .where('m.kind', '=', kind)
    .where((is) => is.or([is('m.slug', '=', name), is('m.id', '=', name)]))
    .limit(2)
    .execute()
  return rows.flatMap((row) => toListed(row) ?? [])
}

/**
 * At most two monitors with a slug or an id, also those that this version cannot read. One statement.
 */
export async function listMonitorReferences(
  db: Db,
  { projectIds, kind, name }: { projectIds: readonly number[]; kind?: MonitorKind; name: string },
): Promise<{ projectId: number; monitorId: string }[]> {
  if (projectIds.length === 0) return []
  return db
    .selectFrom('monitors')
    .select(['project_id as projectId', 'id as monitorId'])
    .where('project_id', 'in', projectIds)
    .$if(kind !== undefined, (of) => of.where('kind', '=', kind ?? ''))
    .where((is) => is.or([is('slug', '=', name), is('id', '=', name)]))
    .limit(2)
    .execute()
}

/** A monitor by its badge's secret. One statement. */
export async function findMonitorByBadge(
  db: Db,
  { projectId, badgeSecret }: Pick<Monitor, 'projectId' | 'badgeSecret'>,
): Promise<Monitor | undefined> {
  const row = await db
    .selectFrom('monitors')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('badge_secret', '=', badgeSecret)
    .executeTakeFirst()
  return row && toMonitor(row)
}

/** The environments of monitors, by name. */
export async function listMonitorEnvironments(
  db: Db,
  monitors: readonly Monitor[],
): Promise<ListedEnvironment[]> {
  if (monitors.length === 0) return []
  const rows = await db
    .selectFrom('monitor_environments')
    .select(['project_id', 'monitor_id', 'environment', 'state', 'issue_id'])
    .where('project_id', 'in', [...new Set(monitors.map(({ projectId }) => projectId))])
    .where(
      'monitor_id',
      'in',
      monitors.map(({ id }) => id),
    )
    .execute()
  return sortByName(rows, ({ environment }) => environment).flatMap((row) => {
    const environment = toMonitorEnvironment(row)
    return environment === undefined ? [] : [{ ...environment, issueId: row.issue_id ?? undefined }]
  })
}

/** The latest check-ins of a monitor in an environment, newest first. */
export async function listCheckIns(
  db: Db,
  { projectId, monitorId, environment }: Omit<MonitorEnvironment, 'state'>,
  limit: number,
): Promise<CheckInRecord[]> {
  const rows = await db
    .selectFrom('monitor_check_ins')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('monitor_id', '=', monitorId)
    .where('environment', '=', environment)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    status: toStatus(row.status),
    slotAt: row.slot_at ?? undefined,
    durationMs: row.duration_ms ?? undefined,
    release: row.release ?? undefined,
    body: row.body ?? undefined,
    traceId: row.trace_id ?? undefined,
    seen: parseSeen(row),
  }))
}

function toStatus(text: string): CheckInStatus {
  return checkInStatuses.find((status) => status === text) ?? 'unknown'
}
