import * as v from 'valibot'
import { toMonitorSlug } from '#monitors/check-in.ts'
import { defaultMonitorSettings, type MonitorSettings } from '#monitors/schedule.ts'
import { answerPage, fieldErrorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findNamedProject, findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import {
  listCheckIns,
  listMonitorEnvironments,
  type ListedMonitor,
} from '#server/store/monitors/listed-monitors.ts'
import { isCronMonitor } from '#server/store/monitors/monitors.ts'
import {
  checkInAnswer,
  monitorAnswer,
  parseSentSettings,
  sentChange,
  sentMonitor,
  toCheckInJson,
  toMonitorJson,
} from './json.ts'
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

const cron: MonitorCalls<ListedMonitor & { settings: MonitorSettings }> = {
  kind: 'cron',
  parameter: 'monitor',
  is: isCronMonitor,
  toJson: toMonitorJson,
}

const base = '/organizations/{org}/monitors/'
/** Sentry's clients also name the project in the path. */
const ones = [`${base}{monitor}/`, '/projects/{org}/{project}/monitors/{monitor}/']

/** The monitors of cron jobs and their check-ins, in Sentry's format. */
export const monitorRoutes: readonly ApiRoute[] = [
  toListRoute(base, { summary: 'The monitors of cron jobs', answers: v.array(monitorAnswer), of: cron }),
  {
    method: 'POST',
    path: base,
    scope: 'alerts:write',
    summary: 'Creates a monitor. Requires the admin role.',
    body: sentMonitor,
    answers: monitorAnswer,
    statuses: [201],
    handle: create,
  },
  ...ones.flatMap(toRoutesOf),
]

/** The routes of one monitor. */
function toRoutesOf(path: string): ApiRoute[] {
  return [
    ...toOneRoutes(path, { summary: 'monitor', answers: monitorAnswer, of: cron }),
    {
      method: 'PUT',
      path,
      scope: 'alerts:write',
      summary: 'Changes a monitor’s name, settings, owner, status and mute. Requires the admin role.',
      body: sentChange,
      answers: monitorAnswer,
      handle: change,
    },
    {
      method: 'GET',
      path: `${path}checkins/`,
      scope: 'project:read',
      summary: 'The latest check-ins of a monitor in an environment.',
      query: {
        project: 'A project’s id or slug, repeated; -1: all.',
        environment: 'Default: the first one by name.',
        per_page: 'Up to 100.',
      },
      answers: v.array(checkInAnswer),
      isPaged: true,
      handle: readCheckIns,
    },
  ]
}

async function readCheckIns(call: ApiCall): Promise<ApiAnswer> {
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit.error
  const monitor = await findRequested(call, cron)
  if (monitor === undefined) return notFoundAnswer
  const { db } = call.services.store
  const environments = await listMonitorEnvironments(db, [monitor])
  const name = call.url.searchParams.get('environment')
  const chosen = name ? environments.find((each) => each.environment === name) : environments[0]
  const rows = chosen === undefined ? [] : await listCheckIns(db, chosen, limit.value)
  return answerPage(call.url, { rows: rows.map((each) => toCheckInJson(each, chosen?.environment ?? '')) })
}

async function create(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const sent = await readCallBody(call, sentMonitor)
  if (!sent.ok) return sent.error
  const { body } = sent
  const named = String(body.project ?? '')
  const project = findNamedProject(scope.projects, named)
  if (project === undefined) return fieldErrorAnswer('project', 'Name a project by its slug or id.')
  if (!canConfigureIn(call, project.id)) return cannotConfigure
  const slug = toMonitorSlug(body.slug ?? body.name)
  if (slug === undefined) return fieldErrorAnswer('slug', 'Use letters, digits, - and _.')
  const parsed = parseSentSettings(body.config, defaultMonitorSettings)
  if (!parsed.ok) return fieldErrorAnswer(parsed.field, parsed.problem)
  return createMonitorOf(call, cron, {
    projectId: project.id,
    slug,
    slugField: 'slug',
    name: body.name,
    settings: parsed.settings,
    sent: { ...body, isMuted: body.isMuted ?? body.is_muted },
  })
}

async function change(call: ApiCall): Promise<ApiAnswer> {
  const found = await findConfigured(call, cron)
  if (!found.ok) return found.error
  const { monitor } = found
  const sent = await readCallBody(call, sentChange)
  if (!sent.ok) return sent.error
  const { body } = sent
  const parsed = body.config && parseSentSettings(body.config, monitor.settings)
  if (parsed?.ok === false) return fieldErrorAnswer(parsed.field, parsed.problem)
  return changeMonitorOf(call, cron, {
    monitor,
    name: body.name ?? monitor.name,
    settings: parsed?.settings ?? monitor.settings,
    sent: { ...body, isMuted: body.isMuted ?? body.is_muted },
  })
}
