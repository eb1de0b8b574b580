import type { Kysely } from 'kysely'
import { parseProjectSettings } from '#server/store/project-settings.ts'
import type { Database } from '#server/store/schema.ts'

/** What a project keeps. */
export interface ProjectLimits {
  projectId: number
  /** What is from before this instant (Unix milliseconds) is old. 0: nothing is, because the clock is not trusted. */
  cutoffAt: number
  /** Events kept at most. */
  maxEvents: number
}

const dayMs = 86_400_000

/** The limits of every project, from its settings. Without a `now` nothing is old. */
export async function listProjectLimits(
  db: Kysely<Database>,
  now: number | undefined,
): Promise<ProjectLimits[]> {
  const rows = await db.selectFrom('projects').select(['id', 'settings']).orderBy('id').execute()
  return rows.map(({ id, settings }) => {
    const { days, events } = parseProjectSettings(settings).retention
    const cutoffAt = now === undefined ? 0 : Math.max(0, now - days * dayMs)
    return { projectId: id, cutoffAt, maxEvents: events }
  })
}
