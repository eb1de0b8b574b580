import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import { hexOf } from '#server/store/engine/per-engine.ts'
import type { Database } from '#server/store/schema/database.ts'

/** A stored trace by its root span. */
export interface RootSample {
  /** 32 lower-case hex digits. */
  traceId: string
  startedAt: number
  durationUs: number
  isError: boolean
}

/**
 * The newest stored root spans of a name, of those among the project's newest
 * `limits.sampledSegments` segments. One statement.
 */
export async function listRootSamples(
  db: Kysely<Database>,
  { projectId, name, from }: { projectId: number; name: string; from: number },
): Promise<RootSample[]> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom('trace_segments')
        .select(['trace_id', 'started_at', 'duration_us', 'is_error', 'is_root', 'name'])
        .where('project_id', '=', projectId)
        .orderBy('id', 'desc')
        .limit(limits.sampledSegments)
        .as('s'),
    )
    .select((of) => [
      hexOf(of.ref('s.trace_id')).as('traceId'),
      's.started_at',
      's.duration_us',
      's.is_error',
    ])
    .where('s.is_root', '=', 1)
    .where('s.name', '=', name)
    .where('s.started_at', '>=', from)
    .limit(limits.rootSamples)
    .execute()
  return rows.map((row) => ({
    traceId: row.traceId,
    startedAt: row.started_at,
    durationUs: row.duration_us,
    isError: row.is_error === 1,
  }))
}
