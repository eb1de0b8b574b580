import * as v from 'valibot'
import { toMonitorSlug } from '#monitors/check-in.ts'
import { isUptime, type UptimeSettings } from '#monitors/uptime.ts'
import { answerPage, fieldErrorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { listCheckIns, type ListedMonitor } from '#server/store/monitors/listed-monitors.ts'
import {
  changeMonitorOf,
  createMonitorOf,
  findConfigured,
  findRequested,
  canConfigureIn,
  cannotConfigure,
  toListRoute,
  toOneRoutes,
  type MonitorCalls,
} from './monitor-calls.ts'
import {
  parseSentUptime,
  sentUptime,
  toUptimeCheckJson,
  toUptimeJson,
  uptimeAnswer,
  uptimeCheckAnswer,
} from './uptime-json.ts'

type UptimeMonitor = ListedMonitor & { settings: UptimeSettings }

const uptime: MonitorCalls<UptimeMonitor> = {
  kind: 'uptime',
  parameter: 'uptime',
  is: (monitor): monitor is UptimeMonitor => isUptime(monitor.settings),
  toJson: toUptimeJson,
}

const base = '/projects/{org}/{project}/uptime/'
const one = `${base}{uptime}/`

/** The uptime monitors and their checks, in Sentry's format. */
export const uptimeRoutes: readonly ApiRoute[] = [
  toListRoute('/organizations/{org}/uptime/', {
    summary: 'The uptime monitors',
    answers: v.array(uptimeAnswer),
    of: uptime,
  }),
  {
    method: 'POST',
    path: base,
    scope: 'alerts:write',
    summary:
      'Creates an uptime monitor of a URL: `https://…`, `tcp://HOST:PORT`, or `tls://HOST:PORT` for certificate expiry. Requires the admin role.',
    body: sentUptime,
    answers: uptimeAnswer,
    statuses: [201],
    handle: create,
  },
  ...toOneRoutes(one, { summary: 'uptime monitor', answers: uptimeAnswer, of: uptime }),
  {
    method: 'PUT',
    path: one,
    scope: 'alerts:write',
    summary: 'Changes an uptime monitor’s name, settings, owner, status and mute. Requires the admin role.',
    body: sentUptime,
    answers: uptimeAnswer,
    handle: change,
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
      const monitor = await findRequested(call, uptime)
      if (monitor === undefined) return notFoundAnswer
      const { projectId, id: monitorId, settings } = monitor
      const { environment } = settings
      const selected = { projectId, monitorId, environment }
      const rows = await listCheckIns(call.services.store.db, selected, limit.value)
      return answerPage(call.url, { rows: rows.map((each) => toUptimeCheckJson(each, environment)) })
    },
  },
]

async function create(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  const [project] = scope?.projects ?? []
  if (project === undefined) return notFoundAnswer
  if (!canConfigureIn(call, project.id)) return cannotConfigure
  const sent = await readCallBody(call, sentUptime)
  if (!sent.ok) return sent.error
  const { body } = sent
  const slug = toMonitorSlug(body.name ?? undefined)
  if (slug === undefined || typeof body.name !== 'string') return fieldErrorAnswer('name', 'Enter a name.')
  const parsed = parseSentUptime(body)
  if (!parsed.ok) return fieldErrorAnswer(parsed.field, parsed.problem)
  return createMonitorOf(call, uptime, {
    projectId: project.id,
    slug,
    slugField: 'name',
    name: body.name,
    settings: parsed.settings,
    sent: body,
  })
}

async function change(call: ApiCall): Promise<ApiAnswer> {
  const found = await findConfigured(call, uptime)
  if (!found.ok) return found.error
  const { monitor } = found
  const sent = await readCallBody(call, sentUptime)
  if (!sent.ok) return sent.error
  const { body } = sent
  const parsed = parseSentUptime(body, monitor.settings)
  if (!parsed.ok) return fieldErrorAnswer(parsed.field, parsed.problem)
  const { settings } = parsed
  return changeMonitorOf(call, uptime, { monitor, name: body.name ?? monitor.name, settings, sent: body })
}
