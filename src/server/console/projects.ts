import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { toProjectDsn } from '#server/project-dsn.ts'
import type { Services } from '#server/services.ts'
import { listProjectRows } from '#server/store/projects.ts'
import type { ProjectListRow, ProjectListView } from '#server/store/views.ts'

/** The projects in reach, each with its DSN and what came in lately. One statement. */
export async function listProjectView(services: Services, viewer: Viewer): Promise<ProjectListView> {
  const now = services.clock()
  const rows = await listProjectRows(services.store.db, { projectIds: reachableProjects(viewer), now })
  return {
    now,
    projects: rows.map(({ publicKey, ...project }): ProjectListRow => {
      if (publicKey === undefined) return project
      const dsn = toProjectDsn(services.publicOrigin, { publicKey, projectId: project.id })
      return Object.assign(project, { dsn })
    }),
  }
}
