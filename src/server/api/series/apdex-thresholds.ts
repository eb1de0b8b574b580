import { limits } from '#server/limits.ts'
import { parseProjectSettings } from '#server/store/projects/settings.ts'
import type { Db } from '#server/store/schema/database.ts'
import { isByThreshold } from './figure-cells.ts'

/** Returns the threshold of Apdex for figures of some projects: the default one if theirs differ. */
export type FindApdexMs = (projectIds: readonly number[]) => number

/** Reads the thresholds of projects. No statement unless a field depends on them. */
export async function readApdexThresholds(
  db: Db,
  { projectIds, fields }: { projectIds: readonly number[]; fields: readonly string[] },
): Promise<FindApdexMs> {
  if (!fields.some(isByThreshold)) return () => limits.apdexMs
  const rows = await db
    .selectFrom('projects')
    .select(['id', 'settings'])
    .where('id', 'in', projectIds)
    .execute()
  const thresholds = new Map(
    rows.map(({ id, settings }) => [id, parseProjectSettings(settings).traces.apdexMs]),
  )
  return (ids) => {
    const [first, ...others] = new Set(ids.map((id) => thresholds.get(id)))
    return first !== undefined && others.length === 0 ? first : limits.apdexMs
  }
}
