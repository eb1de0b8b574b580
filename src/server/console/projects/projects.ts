import { isAllowed } from '#server/auth/roles.ts'
import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import type { Services } from '#server/services.ts'
import { listAcceptedSteps } from '#server/store/outcomes/outcomes.ts'
import type { ProjectListRow, ProjectListView, ProjectPeriod } from '#server/store/projects/list-views.ts'
import { listProjectRows } from '#server/store/projects/projects.ts'

const hourMs = 3_600_000

const periods: Record<ProjectPeriod, { stepMs: number; stepCount: number }> = {
  '24h': { stepMs: hourMs, stepCount: 24 },
  '14d': { stepMs: 24 * hourMs, stepCount: 14 },
}

/** The projects in reach, each with its DSN and what came in lately. Two statements. */
export async function listProjectView(
  services: Services,
  viewer: Viewer,
  period: ProjectPeriod = '24h',
): Promise<ProjectListView> {
  const { store, clock, publicOrigin } = services
  const now = clock()
  const projectIds = reachableProjects(viewer)
  const rows = await listProjectRows(store.db, { projectIds, now })
  const { stepMs, stepCount } = periods[period]
  const since = now - (now % stepMs) - (stepCount - 1) * stepMs
  const steps = await listAcceptedSteps(store.db, { projectIds, since, stepMs })
  const countsOf = (id: number) => {
    const counts = Array.from({ length: stepCount }, () => 0)
    for (const { projectId, startAt, quantity } of steps) {
      // An event may be counted while the page is read, in a step that had not begun.
      if (projectId === id) counts[Math.min((startAt - since) / stepMs, stepCount - 1)] = quantity
    }
    return counts
  }
  return {
    now,
    period,
    mayCreate: viewer.memberships.some(({ role }) => isAllowed(role, 'configure')),
    projects: rows.map(({ publicKey, ...project }): ProjectListRow => {
      const row = Object.assign(project, { counts: countsOf(project.id) })
      if (publicKey === undefined) return row
      return Object.assign(row, { dsn: toProjectDsn(publicOrigin, { publicKey, projectId: project.id }) })
    }),
  }
}
