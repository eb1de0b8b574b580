import { formatSchedule } from '#monitors/schedule.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import type { StatusStep } from '#server/store/monitors/records.ts'
import {
  countCheckIns,
  findMonitor,
  listCheckIns,
  listMonitorEnvironments,
  listMonitors,
  type ListedEnvironment,
  type ListedMonitor,
} from '#server/store/monitors/views.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import { dayMs, hourMs, stepsUntil, type StepSize } from '#time/time-steps.ts'
import { toBadgePath } from './badge.ts'
import type { MonitorListSearch, MonitorPeriod, MonitorSearch } from './monitors.search.ts'
import type {
  EnvironmentView,
  MonitorListView,
  MonitorSummary,
  MonitorView,
  NewMonitorView,
  StepCounts,
} from './views.ts'

const monitorsShown = 50
const checkInsShown = 50

/** At most 48 steps, so that a timeline fits a narrow screen. */
const periodSteps: Readonly<Record<MonitorPeriod, StepSize>> = {
  '24h': { stepMs: hourMs / 2, stepCount: 48 },
  '7d': { stepMs: 4 * hourMs, stepCount: 42 },
  '30d': { stepMs: dayMs, stepCount: 30 },
  '90d': { stepMs: 2 * dayMs, stepCount: 45 },
}

/** The monitors of the viewer's projects, with the last 24 hours of each. */
export async function listMonitorView(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  search: MonitorListSearch,
): Promise<MonitorListView> {
  const now = clock()
  const steps = stepsUntil(now, periodSteps['24h'])
  const { projects } = await listFilterChoices(db, reachableProjects(viewer))
  const chosen = projects.filter(({ slug }) => search.project === undefined || slug === search.project)
  const found = await listMonitors(db, {
    projectIds: chosen.map(({ id }) => id),
    limit: monitorsShown + 1,
    offset: ((search.page ?? 1) - 1) * monitorsShown,
  })
  const shown = found.slice(0, monitorsShown)
  const [environments, counts] = await Promise.all([
    listMonitorEnvironments(db, shown),
    countCheckIns(db, shown, steps),
  ])
  return {
    now,
    projects,
    mayCreate: projectsWith(viewer, 'configure').length > 0,
    monitors: shown.map((monitor) => toSummary(monitor, { environments, counts, ...steps })),
    stepMs: steps.stepMs,
    hasNext: found.length > monitorsShown,
  }
}

/** One monitor; undefined if the viewer's projects do not have it. */
export async function findMonitorView(
  services: Pick<Services, 'store' | 'clock' | 'projectKeys' | 'publicOrigin'>,
  viewer: Viewer,
  {
    project: projectSlug,
    slug,
    period = '24h',
    environment,
  }: MonitorSearch & { project: string; slug: string },
): Promise<MonitorView | undefined> {
  const { store, clock, projectKeys, publicOrigin } = services
  const { db } = store
  const now = clock()
  const monitor = await findMonitor(db, { projectIds: reachableProjects(viewer), projectSlug, slug })
  if (monitor === undefined) return undefined
  const steps = stepsUntil(now, periodSteps[period])
  const [environments, counts, key] = await Promise.all([
    listMonitorEnvironments(db, [monitor]),
    countCheckIns(db, [monitor], steps),
    projectKeys.findOfProject(monitor.projectId),
  ])
  const chosen = environments.find((each) => each.environment === environment) ?? environments[0]
  return {
    now,
    monitor: toSummary(monitor, { environments, counts, ...steps }),
    settings: monitor.settings,
    configProblem: monitor.configProblem,
    stepMs: steps.stepMs,
    mayConfigure: projectsWith(viewer, 'configure').includes(monitor.projectId),
    environment: chosen?.environment,
    checkIns: chosen === undefined ? [] : await listCheckIns(db, chosen, checkInsShown),
    origin: publicOrigin,
    publicKey: key?.publicKey ?? 'KEY',
    badgeUrl: publicOrigin + toBadgePath(monitor),
  }
}

/** The projects in which the viewer may create a monitor. */
export async function getNewMonitorView(
  { store: { db } }: Pick<Services, 'store'>,
  viewer: Viewer,
): Promise<NewMonitorView> {
  const { projects } = await listFilterChoices(db, projectsWith(viewer, 'configure'))
  return { projects }
}

interface Parts {
  environments: readonly ListedEnvironment[]
  counts: readonly StatusStep[]
  stepCount: number
}

function toSummary(monitor: ListedMonitor, { environments, counts, stepCount }: Parts): MonitorSummary {
  const { id, slug, name, project, settings, isPaused, isMuted } = monitor
  return {
    id,
    slug,
    name,
    project,
    schedule: formatSchedule(settings.schedule),
    isPaused,
    isMuted,
    environments: environments
      .filter(({ monitorId }) => monitorId === id)
      .map((each) => toEnvironment(each, { isPaused, steps: toSteps(each, counts, stepCount) })),
  }
}

function toSteps(
  { monitorId, environment }: ListedEnvironment,
  counts: readonly StatusStep[],
  stepCount: number,
): StepCounts[] {
  const steps = Array.from({ length: stepCount }, (): StepCounts => ({}))
  for (const each of counts) {
    const step = steps[each.step]
    if (each.monitorId === monitorId && each.environment === environment && step !== undefined)
      step[each.status] = each.count
  }
  return steps
}

function toEnvironment(
  { environment: name, state, issueId }: ListedEnvironment,
  { isPaused, steps }: { isPaused: boolean; steps: StepCounts[] },
): EnvironmentView {
  return {
    name,
    lastStatus: state.lastStatus,
    lastAt: state.lastAt,
    nextAt: isPaused ? undefined : state.slot.at,
    isFailing: state.isFailing,
    issueId: issueId === undefined ? undefined : String(issueId),
    steps,
  }
}
