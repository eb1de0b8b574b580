import { toProjectDsn } from '#server/project-dsn.ts'
import type { Services } from '#server/services.ts'
import { listProjectRows } from '#server/store/projects.ts'
import type { ProjectListRow, ProjectListView } from '#server/store/views.ts'

/** Every project with its DSN and what came in lately. One statement. */
export async function listProjectView(services: Services): Promise<ProjectListView> {
  const now = services.clock()
  const rows = await listProjectRows(services.store.db, now)
  return {
    now,
    projects: rows.map(({ publicKey, ...project }): ProjectListRow => {
      if (publicKey === undefined) return project
      const dsn = toProjectDsn(services.publicOrigin, { publicKey, projectId: project.id })
      return Object.assign(project, { dsn })
    }),
  }
}
