import * as v from 'valibot'
import { toMonitorSlug } from '#monitors/check-in.ts'
import { defaultMonitorSettings, type MonitorSettings } from '#monitors/schedule.ts'
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
import { isCronMonitor } from '#server/store/monitors/monitors.ts'
import {
  listCheckIns,
  listMonitorEnvironments,
  listMonitors,
  listMonitorsBySlug,
  type ListedMonitor,
} from '#server/store/monitors/views.ts'
import {
  checkInAnswer,
  monitorAnswer,
  parseSentSettings,
  sentMonitor,
  toCheckInJson,
  toMonitorJson,
  type SentMonitor,
} from './json.ts'

type CronMonitor = ListedMonitor & { settings: MonitorSettings }

const base = '/organizations/{org}/monitors/'
const projectParameter = { project: 'A project’s id or slug, repeated; -1: all.' }

/** The monitors of cron jobs and their check-ins, in Sentry's shape. */
export const monitorRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: base,
    scope: 'project:read',
    summary: `The monitors of cron jobs, by project and slug: at most ${limits.apiPageIssues}.`,
    query: projectParameter,
    answers: v.array(monitorAnswer),
    isPaged: true,
    handle: async (call) => {
      const scope = await findProjectScope(call)
      if (scope === undefined) return notFoundAnswer
      const { db } = call.services.store
      const monitors = await listMonitors(db, {
        projectIds: scope.projectIds,
        kind: 'cron',
        limit: limits.apiPageIssues,
        offset: 0,
      })
      const environments = await listMonitorEnvironments(db, monitors)
      return answerPage(call.url, {
        rows: monitors.filter(isCronMonitor).map((each) => toMonitorJson(each, environments)),
      })
    },
  },
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
  {
    method: 'GET',
    path: `${base}{monitor}/`,
    scope: 'project:read',
    summary: 'One monitor, by its slug or id.',
    query: projectParameter,
    answers: monitorAnswer,
    handle: async (call) => {
      const monitor = await findRequested(call)
      return monitor === undefined ? notFoundAnswer : answerMonitor(call, monitor)
    },
  },
  {
    method: 'PUT',
    path: `${base}{monitor}/`,
    scope: 'alerts:write',
    summary: 'Changes a monitor’s name, settings, status and mute. Requires the admin role.',
    body: sentMonitor,
    answers: monitorAnswer,
    handle: replace,
  },
  {
    method: 'DELETE',
    path: `${base}{monitor}/`,
    scope: 'alerts:write',
    summary: 'Deletes a monitor with its check-ins. Requires the admin role.',
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
    path: `${base}{monitor}/checkins/`,
    scope: 'project:read',
    summary: 'The latest check-ins of a monitor in an environment.',
    query: {
      ...projectParameter,
      environment: 'Left out: the first one by name.',
      per_page: 'Up to 100.',
    },
    answers: v.array(checkInAnswer),
    isPaged: true,
    handle: async (call) => {
      const limit = readPageSize(call.url)
      if (!limit.ok) return limit.error
      const monitor = await findRequested(call)
      if (monitor === undefined) return notFoundAnswer
      const { db } = call.services.store
      const environments = await listMonitorEnvironments(db, [monitor])
      const name = call.url.searchParams.get('environment')
      const chosen = name ? environments.find((each) => each.environment === name) : environments[0]
      const rows = chosen === undefined ? [] : await listCheckIns(db, chosen, limit.value)
      return answerPage(call.url, {
        rows: rows.map((each) => toCheckInJson(each, chosen?.environment ?? '')),
      })
    },
  },
]

async function create(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const sent = await readCallBody(call, sentMonitor)
  if (!sent.ok) return sent.error
  const { body } = sent
  const named = String(body.project ?? '')
  const project = scope.projects.find(({ id, slug }) => slug === named || String(id) === named)
  if (project === undefined) return fieldErrorAnswer('project', 'Name a project by its slug or id.')
  if (!mayConfigure(call, project.id)) return mayNotConfigure
  const slug = toMonitorSlug(body.slug ?? body.name)
  if (slug === undefined) return fieldErrorAnswer('slug', 'Use letters, digits, - and _.')
  const parsed = parseSentSettings(body, defaultMonitorSettings)
  if (!parsed.ok) return fieldErrorAnswer(parsed.field, parsed.problem)
  const { store, clock } = call.services
  const { settings } = parsed
  const given = { projectId: project.id, slug, name: body.name, settings }
  const created = await recordNewMonitor(store, given, clock())
  if (created === 'slug_in_use') return fieldErrorAnswer('slug', `The project has a monitor ${slug} already.`)
  if (created === 'too_many')
    return errorAnswer(409, `The project has ${limits.monitorsPerProject} monitors.`)
  const [monitor] = await listMonitorsBySlug(store.db, { projectIds: [project.id], name: slug })
  if (monitor === undefined || !isCronMonitor(monitor)) return notFoundAnswer
  await changeState(call, monitor, body)
  return answerMonitor(call, { ...monitor, ...stateOf(body, monitor) }, 201)
}

async function replace(call: ApiCall): Promise<ApiAnswer> {
  const monitor = await findRequested(call)
  if (monitor === undefined) return notFoundAnswer
  if (!mayConfigure(call, monitor.projectId)) return mayNotConfigure
  const sent = await readCallBody(call, sentMonitor)
  if (!sent.ok) return sent.error
  const { body } = sent
  const parsed = parseSentSettings(body, monitor.settings)
  if (!parsed.ok) return fieldErrorAnswer(parsed.field, parsed.problem)
  const { store, clock } = call.services
  const state = stateOf(body, monitor)
  const change = {
    name: body.name,
    settings: parsed.settings,
    isMuted: state.isMuted,
    ...(state.isPaused !== monitor.isPaused && { isPaused: state.isPaused }),
  }
  const reference = { projectId: monitor.projectId, monitorId: monitor.id }
  if (!(await recordMonitorChange(store, reference, { change, now: clock() }))) return notFoundAnswer
  return answerMonitor(call, { ...monitor, ...state, name: body.name, settings: parsed.settings })
}

/** Applies what a new monitor's body says besides its settings. */
async function changeState(call: ApiCall, monitor: ListedMonitor, body: SentMonitor): Promise<void> {
  const { isMuted, isPaused } = stateOf(body, monitor)
  if (!isMuted && !isPaused) return
  const { store, clock } = call.services
  const reference = { projectId: monitor.projectId, monitorId: monitor.id }
  await recordMonitorChange(store, reference, { change: { isMuted, isPaused }, now: clock() })
}

function stateOf(
  { status, isMuted, is_muted: isMutedToo }: SentMonitor,
  before: Pick<ListedMonitor, 'isMuted' | 'isPaused'>,
): Pick<ListedMonitor, 'isMuted' | 'isPaused'> {
  return {
    isMuted: isMuted ?? isMutedToo ?? before.isMuted,
    isPaused: status === undefined ? before.isPaused : status === 'disabled',
  }
}

async function answerMonitor(call: ApiCall, monitor: CronMonitor, status = 200): Promise<ApiAnswer> {
  const environments = await listMonitorEnvironments(call.services.store.db, [monitor])
  return answer(toMonitorJson(monitor, environments), status)
}

/** The monitor in the path, by its id, or by its slug if one project of the scope has it. */
async function findRequested(call: ApiCall): Promise<CronMonitor | undefined> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return undefined
  const name = call.params['monitor'] ?? ''
  const [first, another] = await listMonitorsBySlug(call.services.store.db, {
    projectIds: scope.projectIds,
    name,
  })
  return another === undefined && first !== undefined && isCronMonitor(first) ? first : undefined
}

function mayConfigure({ viewer }: ApiCall, projectId: number): boolean {
  return projectsWith(viewer, 'configure').includes(projectId)
}

const mayNotConfigure = errorAnswer(
  403,
  'You do not have permission to perform this action: your role does not configure projects.',
)
