import { formatSchedule } from '#monitors/schedule.ts'
import { formatInterval, formatPublicTarget, isUptime, type StoredSettings } from '#monitors/uptime.ts'
import type { CheckInStatus } from '#monitors/verdicts.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { countCheckIns } from '#server/store/monitors/counts.ts'
import {
  findMonitor,
  listCheckIns,
  listMonitorEnvironments,
  listMonitors,
  type ListedEnvironment,
  type ListedMonitor,
} from '#server/store/monitors/listed-monitors.ts'
import { findMonitorOwner } from '#server/store/monitors/owners.ts'
import type { StatusStep } from '#server/store/monitors/records.ts'
import { listOwnerCandidates } from '#server/store/projects/ownership.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import type { OwnerCandidate } from '#source-links/owners/find-owners.ts'
import { dayMs, hourMs, stepsUntil, type StepSize, type TimeSteps } from '#time/time-steps.ts'
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

/** The monitors of the viewer's projects, each with a period of its timeline. */
export async function listMonitorView(
  { store: { db }, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  search: MonitorListSearch,
): Promise<MonitorListView> {
  const now = clock()
  const configurable = projectsWith(viewer, 'configure')
  const steps = stepsUntil(now, periodSteps[search.period ?? '24h'])
  const { projects } = await listFilterChoices(db, reachableProjects(viewer))
  const chosen = projects.filter(({ slug }) => search.project === undefined || slug === search.project)
  const { monitors, unreadable, hasNext } = await listMonitors(db, {
    projectIds: chosen.map(({ id }) => id),
    kind: search.kind,
    limit: monitorsShown,
    offset: ((search.page ?? 1) - 1) * monitorsShown,
  })
  const [environments, counts] = await Promise.all([
    listMonitorEnvironments(db, monitors),
    countCheckIns(db, monitors, steps),
  ])
  return {
    now,
    projects,
    canCreate: configurable.length > 0,
    monitors: monitors.map((monitor) => toSummary(monitor, { environments, counts, steps })),
    stepMs: steps.stepMs,
    unreadable: unreadable.map(({ id, name, project }) => ({
      id,
      name,
      projectName: project.name,
      canConfigure: configurable.includes(project.id),
    })),
    hasNext,
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
  const { owner } = monitor.settings
  const [environments, counts, key, users] = await Promise.all([
    listMonitorEnvironments(db, [monitor]),
    countCheckIns(db, [monitor], steps),
    projectKeys.findOfProject(monitor.projectId),
    owner === undefined ? [] : listOwnerCandidates(db, monitor.projectId),
  ])
  const chosen = environments.find((each) => each.environment === environment) ?? environments[0]
  const canConfigure = projectsWith(viewer, 'configure').includes(monitor.projectId)
  return {
    now,
    monitor: toSummary(monitor, { environments, counts, steps }),
    settings: canConfigure ? monitor.settings : toPublicSettings(monitor.settings),
    configProblem: monitor.configProblem,
    owner: owner === undefined ? undefined : toOwnerView(owner, users),
    stepMs: steps.stepMs,
    canConfigure,
    environment: chosen?.environment,
    checkIns: chosen === undefined ? [] : await listCheckIns(db, chosen, checkInsShown),
    origin: publicOrigin,
    publicKey: key?.publicKey ?? 'KEY',
    badgeUrl: publicOrigin + toBadgePath(monitor),
  }
}

function toOwnerView(owner: string, users: readonly OwnerCandidate[]): MonitorView['owner'] {
  const user = findMonitorOwner(owner, users)
  return user === undefined
    ? { name: owner, text: owner, isUser: false }
    : { name: user.name, text: user.email, isUser: true }
}

/** The projects in which the viewer may create a monitor. */
export async function getNewMonitorView(
  { store: { db } }: Pick<Services, 'store'>,
  viewer: Viewer,
): Promise<NewMonitorView> {
  const { projects } = await listFilterChoices(db, projectsWith(viewer, 'configure'))
  return { projects }
}

/** Settings without possibly secret fields. */
function toPublicSettings(settings: StoredSettings): StoredSettings {
  if (!isUptime(settings) || settings.target.kind !== 'http') return settings
  const { target } = settings
  return { ...settings, target: { ...target, url: formatPublicTarget(target), headers: [], body: '' } }
}

interface Parts {
  environments: readonly ListedEnvironment[]
  counts: readonly StatusStep[]
  steps: TimeSteps
}

function toSummary(monitor: ListedMonitor, { environments, counts, steps }: Parts): MonitorSummary {
  const { id, slug, name, project, settings, isPaused, isMuted } = monitor
  return {
    id,
    slug,
    name,
    project,
    ...(isUptime(settings)
      ? {
          kind: 'uptime',
          schedule: formatInterval(settings.intervalSeconds),
          target: formatPublicTarget(settings.target),
        }
      : { kind: 'cron', schedule: formatSchedule(settings.schedule) }),
    isPaused,
    isMuted,
    environments: environments
      .filter(({ monitorId }) => monitorId === id)
      .map((each) =>
        toEnvironment(each, {
          isPaused,
          steps,
          counts: counts.filter(
            ({ monitorId, environment }) => monitorId === id && environment === each.environment,
          ),
        }),
      ),
  }
}

/** The timeline of an environment in a period. */
function toTimeline(
  { state }: ListedEnvironment,
  counts: readonly StatusStep[],
  { since, stepMs, stepCount }: TimeSteps,
): Pick<EnvironmentView, 'steps' | 'durations' | 'okShare'> {
  const steps = Array.from({ length: stepCount }, (): StepCounts => ({}))
  const sums = Array.from({ length: stepCount }, () => ({ count: 0, totalMs: 0 }))
  let okCount = 0
  let failureCount = 0
  for (const { step: index, status, count, durationCount, durationTotalMs } of counts) {
    const [step, sum] = [steps[index], sums[index]]
    if (step === undefined || sum === undefined) continue
    step[status] = count
    sum.count += durationCount
    sum.totalMs += durationTotalMs
    if (status === 'ok') okCount += count
    if (failures.has(status)) failureCount += count
  }
  // Runs are counted when they end.
  for (const { startedAt } of state.runs) {
    const step = steps[Math.floor((startedAt - since) / stepMs)]
    if (step !== undefined) step.in_progress = (step.in_progress ?? 0) + 1
  }
  const knownCount = okCount + failureCount
  return {
    steps,
    durations: sums.map(({ count, totalMs }) => (count > 0 ? Math.round(totalMs / count) : null)),
    ...(knownCount > 0 && { okShare: okCount / knownCount }),
  }
}

const failures: ReadonlySet<CheckInStatus> = new Set(['error', 'missed', 'timeout'])

function toEnvironment(
  listed: ListedEnvironment,
  { isPaused, counts, steps }: { isPaused: boolean; counts: readonly StatusStep[]; steps: TimeSteps },
): EnvironmentView {
  const { environment: name, state, issueId } = listed
  return {
    ...toTimeline(listed, counts, steps),
    name,
    lastStatus: state.lastStatus,
    lastAt: state.lastAt,
    nextAt: isPaused ? undefined : state.slot.at,
    isFailing: state.isFailing,
    issueId: issueId === undefined ? undefined : String(issueId),
  }
}
