import { toProjectName } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { parseProjectSettings } from '#server/store/projects/settings.ts'
import type { RetentionSettings, TraceSettings } from '#server/store/projects/settings.ts'
import type { Db } from '#server/store/schema/database.ts'
import { dayMs } from '#time/time-steps.ts'

/** The retention settings of a project. */
export interface ProjectRetention {
  project: ProjectName
  retention: RetentionSettings
  traces: TraceSettings
}

/** The retention settings of every project including defaults, by id. */
export async function listProjectRetention(db: Db): Promise<ProjectRetention[]> {
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'slug', 'name', 'platform', 'settings'])
    .orderBy('id')
    .execute()
  return rows.map((row) => {
    const { retention, traces } = parseProjectSettings(row.settings)
    return { project: toProjectName(row), retention, traces }
  })
}

/** The limits of a project at an instant. */
export interface ProjectLimits {
  projectId: number
  /** Rows before this instant (Unix milliseconds) are too old. 0: none, the clock is not trusted. */
  cutoffAt: number
  /** Maximum number of stored events. */
  maxEvents: number
  /** Maximum bytes of stored traces. */
  traceBytes: number
}

/** The limits of every project at an instant (Unix milliseconds). Without an instant, nothing is too old. */
export async function listProjectLimits(db: Db, now: number | undefined): Promise<ProjectLimits[]> {
  const projects = await listProjectRetention(db)
  return projects.map(({ project, retention: { days, events }, traces }) => {
    const cutoffAt = now === undefined ? 0 : Math.max(0, now - days * dayMs)
    return { projectId: project.id, cutoffAt, maxEvents: events, traceBytes: traces.megabytes * 1_000_000 }
  })
}
