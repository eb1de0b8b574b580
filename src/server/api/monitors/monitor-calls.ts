import * as v from 'valibot'
import type { StoredSettings } from '#monitors/uptime.ts'
import {
  answer,
  answerPage,
  errorAnswer,
  fieldErrorAnswer,
  notFoundAnswer,
  type ApiAnswer,
} from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { toBadgePath } from '#server/console/monitors/badge.ts'
import { limits } from '#server/limits.ts'
import {
  recordMonitorChange,
  recordMonitorDeletion,
  recordNewMonitor,
} from '#server/store/monitors/changes.ts'
import {
  listMonitorEnvironments,
  listMonitorReferences,
  listMonitors,
  listMonitorsBySlug,
  type ListedEnvironment,
  type ListedMonitor,
} from '#server/store/monitors/listed-monitors.ts'
import { readEnteredOwner, type EnteredOwner } from '#server/store/monitors/owners.ts'
import type { MonitorKind } from '#server/store/monitors/records.ts'
import { listOwnerCandidates } from '#server/store/projects/ownership.ts'
import type { OwnerCandidate } from '#source-links/owners/find-owners.ts'

/** Data of an answer in addition to the monitors. */
export interface MonitorExtras {
  environments: readonly ListedEnvironment[]
  /** Users of the projects whose monitors have owners. */
  users: readonly OwnerCandidate[]
  /** Whether the caller may see possibly secret settings of a monitor, which requires `alerts:write`. */
  canConfigure: (projectId: number) => boolean
  /** The secret URL of its badge; null for a caller who may not configure it. */
  badgeUrlOf: (monitor: ListedMonitor) => string | null
}

/** A kind of monitors, with the functions that the shared endpoints need. */
export interface MonitorCalls<M extends ListedMonitor> {
  kind: MonitorKind
  /** The name of the parameter in the path. */
  parameter: string
  is: (monitor: ListedMonitor) => monitor is M
  toJson: (monitor: M, extras: MonitorExtras) => unknown
}

/** The fields in a body that all kinds of monitors have. */
export const sentState = {
  status: v.optional(v.nullable(v.picklist(['active', 'disabled']))),
  isMuted: v.optional(v.nullable(v.boolean())),
  /** `user:ID`, an email address, or `team:NAME`; null for none. */
  owner: v.optional(v.nullable(v.string())),
}
const stateFields = v.object(sentState)
type SentState = v.InferOutput<typeof stateFields>

const projectParameter = { project: 'A project’s id or slug, repeated; -1: all.' }

/** The route of a list. */
export function toListRoute<M extends ListedMonitor>(
  path: string,
  { summary, answers, of }: { summary: string; answers: ApiRoute['answers']; of: MonitorCalls<M> },
): ApiRoute {
  return {
    method: 'GET',
    path,
    scope: 'project:read',
    summary: `${summary}, by project and slug: at most ${limits.apiPageIssues}.`,
    query: projectParameter,
    answers,
    isPaged: true,
    handle: async (call) => {
      const scope = await findProjectScope(call)
      if (scope === undefined) return notFoundAnswer
      const { projectIds } = scope
      const page = { projectIds, kind: of.kind, limit: limits.apiPageIssues, offset: 0 }
      const listed = await listMonitors(call.services.store.db, page)
      const monitors = listed.monitors.filter(of.is)
      const extras = await readExtras(call, monitors)
      return answerPage(call.url, { rows: monitors.map((each) => of.toJson(each, extras)) })
    },
  }
}

/** The routes that read and delete one monitor. */
export function toOneRoutes<M extends ListedMonitor>(
  path: string,
  { summary, answers, of }: { summary: string; answers: ApiRoute['answers']; of: MonitorCalls<M> },
): ApiRoute[] {
  const query = path.includes('{project}') ? {} : { query: projectParameter }
  return [
    {
      method: 'GET',
      path,
      scope: 'project:read',
      summary: `One ${summary}, by its slug or id.`,
      ...query,
      answers,
      handle: async (call) => {
        const monitor = await findRequested(call, of)
        return monitor === undefined ? notFoundAnswer : answerMonitor(call, of, { monitor })
      },
    },
    {
      method: 'DELETE',
      path,
      scope: 'alerts:write',
      summary: `Deletes a ${summary} with its results. Requires the admin role.`,
      statuses: [202],
      handle: async (call) => {
        const { store, clock } = call.services
        // Also one that this version cannot read.
        const scope = await findProjectScope(call)
        const [monitor, another] = await listMonitorReferences(store.db, {
          projectIds: scope?.projectIds ?? [],
          kind: of.kind,
          name: call.params[of.parameter] ?? '',
        })
        if (monitor === undefined || another !== undefined) return notFoundAnswer
        if (!canConfigureIn(call, monitor.projectId)) return cannotConfigure
        await recordMonitorDeletion(store, monitor, clock())
        return { status: 202 }
      },
    },
  ]
}

async function readExtras(call: ApiCall, monitors: readonly ListedMonitor[]): Promise<MonitorExtras> {
  const { db } = call.services.store
  const owned = monitors.filter(({ settings }) => settings.owner !== undefined)
  const projectIds = [...new Set(owned.map(({ projectId }) => projectId))]
  const [environments, users] = await Promise.all([
    listMonitorEnvironments(db, monitors),
    Promise.all(projectIds.map((id) => listOwnerCandidates(db, id))),
  ])
  // A token that only reads, for a dashboard, must not reveal what its owner may read.
  const canConfigure = (id: number) => call.scopes.includes('alerts:write') && canConfigureIn(call, id)
  return {
    environments,
    users: users.flat(),
    canConfigure,
    badgeUrlOf: (monitor) =>
      canConfigure(monitor.projectId) ? call.services.publicOrigin + toBadgePath(monitor) : null,
  }
}

/** Answers with a monitor. */
async function answerMonitor<M extends ListedMonitor>(
  call: ApiCall,
  { toJson }: MonitorCalls<M>,
  { monitor, status = 200 }: { monitor: M; status?: number },
): Promise<ApiAnswer> {
  return answer(toJson(monitor, await readExtras(call, [monitor])), status)
}

/** The monitor in the path, by its id, or by its slug if only one project of the scope has it. */
export async function findRequested<M extends ListedMonitor>(
  call: ApiCall,
  { kind, parameter, is }: MonitorCalls<M>,
): Promise<M | undefined> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return undefined
  const [first, another] = await listMonitorsBySlug(call.services.store.db, {
    projectIds: scope.projectIds,
    kind,
    name: call.params[parameter] ?? '',
  })
  return another === undefined && first !== undefined && is(first) ? first : undefined
}

/** The same for a caller who may change it. */
export async function findConfigured<M extends ListedMonitor>(
  call: ApiCall,
  of: MonitorCalls<M>,
): Promise<{ ok: true; monitor: M } | { ok: false; error: ApiAnswer }> {
  const monitor = await findRequested(call, of)
  if (monitor === undefined) return { ok: false, error: notFoundAnswer }
  return canConfigureIn(call, monitor.projectId)
    ? { ok: true, monitor }
    : { ok: false, error: cannotConfigure }
}

/** True if the caller may configure the project. */
export function canConfigureIn({ viewer }: ApiCall, projectId: number): boolean {
  return projectsWith(viewer, 'configure').includes(projectId)
}

/** The rejection of a caller without the required role. */
export const cannotConfigure = errorAnswer(
  403,
  'You do not have permission to perform this action: your role cannot configure projects.',
)

/** The monitor in a body. */
interface SentMonitorOf {
  name: string
  settings: StoredSettings
  sent: SentState
}

/** Creates a monitor, and answers with it. `slugField`: the body's field from which its slug is derived. */
export async function createMonitorOf<M extends ListedMonitor>(
  call: ApiCall,
  of: MonitorCalls<M>,
  {
    projectId,
    slug,
    slugField,
    name,
    settings,
    sent,
  }: SentMonitorOf & { projectId: number; slug: string; slugField: string },
): Promise<ApiAnswer> {
  const { store, clock } = call.services
  const entered = await readOwner(call, projectId, { owner: sent.owner })
  if (!entered.ok) return fieldErrorAnswer('owner', entered.problem)
  const given = { projectId, slug, name, settings: { ...settings, owner: entered.owner } }
  const created = await recordNewMonitor(store, given, clock())
  if (created === 'slug_in_use')
    return fieldErrorAnswer(slugField, `The project already has a monitor ${slug}.`)
  if (created === 'too_many')
    return errorAnswer(409, `The project has ${limits.monitorsPerProject} monitors.`)
  const [monitor] = await listMonitorsBySlug(store.db, { projectIds: [projectId], kind: of.kind, name: slug })
  if (monitor === undefined || !of.is(monitor)) return notFoundAnswer
  const state = stateOf(sent, monitor)
  if (state.isMuted || state.isPaused) {
    const reference = { projectId, monitorId: monitor.id }
    await recordMonitorChange(store, reference, { change: state, now: clock() })
  }
  return answerMonitor(call, of, { monitor: { ...monitor, ...state }, status: 201 })
}

/** Changes a monitor, and answers with it. */
export async function changeMonitorOf<M extends ListedMonitor>(
  call: ApiCall,
  of: MonitorCalls<M>,
  { monitor, name, settings, sent }: SentMonitorOf & { monitor: M },
): Promise<ApiAnswer> {
  const { projectId, id: monitorId } = monitor
  const { owner: before } = monitor.settings
  const entered = await readOwner(call, projectId, { owner: sent.owner, before })
  if (!entered.ok) return fieldErrorAnswer('owner', entered.problem)
  const { isMuted, isPaused } = stateOf(sent, monitor)
  const changed = { name, settings: { ...settings, owner: entered.owner }, isMuted }
  const change = { ...changed, ...(isPaused !== monitor.isPaused && { isPaused }) }
  const { store, clock } = call.services
  if (!(await recordMonitorChange(store, { projectId, monitorId }, { change, now: clock() })))
    return notFoundAnswer
  return answerMonitor(call, of, { monitor: { ...monitor, ...changed, isPaused } })
}

/** The owner in a body; unchanged if it is missing. */
async function readOwner(
  call: ApiCall,
  projectId: number,
  { owner, before }: { owner: SentState['owner']; before?: string | undefined },
): Promise<EnteredOwner> {
  if (owner === undefined) return { ok: true, owner: before }
  return readEnteredOwner(call.services.store.db, projectId, owner ?? '')
}

function stateOf({ status, isMuted }: SentState, before: Pick<ListedMonitor, 'isMuted' | 'isPaused'>) {
  return {
    isMuted: isMuted ?? before.isMuted,
    isPaused: status ? status === 'disabled' : before.isPaused,
  }
}
