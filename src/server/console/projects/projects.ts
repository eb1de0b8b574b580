import { isAllowed } from '#server/auth/roles.ts'
import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import type { Services } from '#server/services.ts'
import { listAcceptedSteps } from '#server/store/outcomes/outcomes.ts'
import { listProjectRows } from '#server/store/projects/projects.ts'
import { countPerStep, dayMs, last24Hours, stepsUntil, type StepSize } from '#time/time-steps.ts'
import type { ProjectListRow, ProjectListView, ProjectPeriod } from './views.ts'

const periods: Record<ProjectPeriod, StepSize> = {
  '24h': last24Hours,
  '14d': { stepMs: dayMs, stepCount: 14 },
}

/** The accessible projects, each with its DSN and recently received items. Two statements. */
export async function listProjectView(
  services: Services,
  viewer: Viewer,
  period: ProjectPeriod = '24h',
): Promise<ProjectListView> {
  const { store, clock, publicOrigin } = services
  const now = clock()
  const projectIds = reachableProjects(viewer)
  const rows = await listProjectRows(store.db, { projectIds, now })
  const steps = stepsUntil(now, periods[period])
  const accepted = Map.groupBy(
    await listAcceptedSteps(store.db, { projectIds, ...steps }),
    ({ projectId }) => projectId,
  )
  const countsOf = (id: number) =>
    countPerStep(
      (accepted.get(id) ?? []).map(({ startAt, quantity }) => [startAt, quantity] as const),
      steps,
    )
  return {
    now,
    period,
    canCreate: viewer.memberships.some(({ role }) => isAllowed(role, 'configure')),
    projects: rows.map(({ publicKey, ...project }): ProjectListRow => {
      const row = Object.assign(project, { counts: countsOf(project.id) })
      if (publicKey === undefined) return row
      return Object.assign(row, { dsn: toProjectDsn(publicOrigin, { publicKey, projectId: project.id }) })
    }),
  }
}
