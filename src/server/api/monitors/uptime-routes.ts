import * as v from 'valibot'
import { toMonitorSlug } from '#monitors/check-in.ts'
import { isUptime, type UptimeSettings } from '#monitors/uptime.ts'
import {
  answer,
  answerPage,
  errorAnswer,
  fieldErrorAnswer,
  notFoundAnswer,
  type ApiAnswer,
} from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import {
  recordMonitorChange,
  recordMonitorDeletion,
  recordNewMonitor,
} from '#server/store/monitors/changes.ts'
import {
  listCheckIns,
  listMonitorEnvironments,
  listMonitors,
  listMonitorsBySlug,
  type ListedMonitor,
} from '#server/store/monitors/views.ts'
import {
  parseSentUptime,
  sentUptime,
  toUptimeCheckJson,
  toUptimeJson,
  uptimeAnswer,
  uptimeCheckAnswer,
} from './uptime-json.ts'

type UptimeMonitor = ListedMonitor & { settings: UptimeSettings }

const base = '/projects/{org}/{project}/uptime/'
const one = `${base}{uptime}/`

/** The uptime monitors and their checks, in Sentry's shape. */
export const uptimeRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/organizations/{org}/uptime/',
    scope: 'project:read',
    summary: `The uptime monitors, by project and slug: at most ${limits.apiPageIssues}.`,
    query: { project: 'A project’s id or slug, repeated; -1: all.' },
    answers: v.array(uptimeAnswer),
    isPaged: true,
    handle: async (call) => {
      const scope = await findProjectScope(call)
      if (scope === undefined) return notFoundAnswer
      const { db } = call.services.store
      const { projectIds } = scope
      const page = { projectIds, kind: 'uptime', limit: limits.apiPageIssues, offset: 0 } as const
      const monitors = (await listMonitors(db, page)).filter(isUptimeMonitor)
      const environments = await listMonitorEnvironments(db, monitors)
      return answerPage(call.url, {
        rows: monitors.map((each) =>
          toUptimeJson(each, environments, { isSecret: !mayConfigure(call, each.projectId) }),
        ),
      })
    },
  },
  {
    method: 'POST',
    path: base,
    scope: 'alerts:write',
    summary: 'Creates an uptime monitor that requests a URL. Requires the admin role.',
    body: sentUptime,
    answers: uptimeAnswer,
    statuses: [201],
    handle: create,
  },
  {
    method: 'GET',
    path: one,
    scope: 'project:read',
    summary: 'One uptime monitor, by its id or slug.',
    answers: uptimeAnswer,
    handle: async (call) => {
      const monitor = await findRequested(call)
      return monitor === undefined ? notFoundAnswer : answerUptime(call, monitor)
    },
  },
  {
    method: 'PUT',
    path: one,
    scope: 'alerts:write',
    summary: 'Changes an uptime monitor’s name, settings and status. Requires the admin role.',
    body: sentUptime,
    answers: uptimeAnswer,
    handle: change,
  },
  {
    method: 'DELETE',
    path: one,
    scope: 'alerts:write',
    summary: 'Deletes an uptime monitor with its results. Requires the admin role.',
    statuses: [202],
    handle: async (call) => {
      const monitor = await findRequested(call)
      if (monitor === undefined) return notFoundAnswer
      if (!mayConfigure(call, monitor.projectId)) return mayNotConfigure
      const { store, clock } = call.services
      await recordMonitorDeletion(store, { projectId: monitor.projectId, monitorId: monitor.id }, clock())
      return { status: 202 }
    },
  },
  {
    method: 'GET',
    path: `${one}checks/`,
    scope: 'project:read',
    summary: 'The latest checks of an uptime monitor.',
    query: { per_page: 'Up to 100.' },
    answers: v.array(uptimeCheckAnswer),
    isPaged: true,
    handle: async (call) => {
      const limit = readPageSize(call.url)
      if (!limit.ok) return limit.error
      const monitor = await findRequested(call)
      if (monitor === undefined) return notFoundAnswer
      const { projectId, id: monitorId, settings } = monitor
      const { environment } = settings
      const place = { projectId, monitorId, environment }
      const rows = await listCheckIns(call.services.store.db, place, limit.value)
      return answerPage(call.url, { rows: rows.map((each) => toUptimeCheckJson(each, environment)) })
    },
  },
]

async function create(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  const [project] = scope?.projects ?? []
  if (project === undefined) return notFoundAnswer
  if (!mayConfigure(call, project.id)) return mayNotConfigure
  const sent = await readCallBody(call, sentUptime)
  if (!sent.ok) return sent.error
  const { body } = sent
  const slug = toMonitorSlug(body.name ?? undefined)
  if (slug === undefined || typeof body.name !== 'string') return fieldErrorAnswer('name', 'Enter a name.')
  const parsed = parseSentUptime(body)
  if (!parsed.ok) return fieldErrorAnswer(parsed.field, parsed.problem)
  const { store, clock } = call.services
  const given = { projectId: project.id, slug, name: body.name, settings: parsed.settings }
  const created = await recordNewMonitor(store, given, clock())
  if (created === 'slug_in_use') return fieldErrorAnswer('name', `The project has a monitor ${slug} already.`)
  if (created === 'too_many')
    return errorAnswer(409, `The project has ${limits.monitorsPerProject} monitors.`)
  const [monitor] = await listMonitorsBySlug(store.db, { projectIds: [project.id], name: slug })
  if (monitor === undefined || !isUptimeMonitor(monitor)) return notFoundAnswer
  if (body.status !== 'disabled') return answerUptime(call, monitor, 201)
  const reference = { projectId: project.id, monitorId: monitor.id }
  await recordMonitorChange(store, reference, { change: { isPaused: true }, now: clock() })
  return answerUptime(call, { ...monitor, isPaused: true }, 201)
}

async function change(call: ApiCall): Promise<ApiAnswer> {
  const monitor = await findRequested(call)
  if (monitor === undefined) return notFoundAnswer
  if (!mayConfigure(call, monitor.projectId)) return mayNotConfigure
  const sent = await readCallBody(call, sentUptime)
  if (!sent.ok) return sent.error
  const { body } = sent
  const parsed = parseSentUptime(body, monitor.settings)
  if (!parsed.ok) return fieldErrorAnswer(parsed.field, parsed.problem)
  const { settings } = parsed
  const name = body.name ?? monitor.name
  const isPaused = body.status ? body.status === 'disabled' : monitor.isPaused
  const changed = { name, settings, ...(isPaused !== monitor.isPaused && { isPaused }) }
  const { store, clock } = call.services
  const reference = { projectId: monitor.projectId, monitorId: monitor.id }
  if (!(await recordMonitorChange(store, reference, { change: changed, now: clock() }))) return notFoundAnswer
  return answerUptime(call, { ...monitor, name, settings, isPaused })
}

async function answerUptime(call: ApiCall, monitor: UptimeMonitor, status = 200): Promise<ApiAnswer> {
  const environments = await listMonitorEnvironments(call.services.store.db, [monitor])
  const isSecret = !mayConfigure(call, monitor.projectId)
  return answer(toUptimeJson(monitor, environments, { isSecret }), status)
}

/** The uptime monitor in the path, by its id or slug. */
async function findRequested(call: ApiCall): Promise<UptimeMonitor | undefined> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return undefined
  const [found] = await listMonitorsBySlug(call.services.store.db, {
    projectIds: scope.projectIds,
    name: call.params['uptime'] ?? '',
  })
  return found !== undefined && isUptimeMonitor(found) ? found : undefined
}

function isUptimeMonitor(monitor: ListedMonitor): monitor is UptimeMonitor {
  return isUptime(monitor.settings)
}

function mayConfigure({ viewer }: ApiCall, projectId: number): boolean {
  return projectsWith(viewer, 'configure').includes(projectId)
}

const mayNotConfigure = errorAnswer(403, 'Only admins and owners can change monitors.')
