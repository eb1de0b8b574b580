import type { Kysely, Selectable } from 'kysely'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { parseProjectSettings } from '#server/store/projects/settings.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { UpstreamsTable } from '#server/store/schema/upstreams.ts'
import { parseUpstreamState, toUpstream, type Upstream, type UpstreamState } from './upstreams.ts'

/** An upstream, and what became of what was to go there. */
export interface UpstreamStatus extends Upstream {
  project: ProjectName
  /** Of the project. */
  isStoredHere: boolean
  createdAt: number
  waitingCount: number
  waitingBytes: number
  /** Permanently rejected: dead letters. */
  failedCount: number
  deliveredCount: number
  droppedCount: number
  /** When the longest waiting envelope was received. Unix milliseconds. */
  oldestWaitingAt?: number
  state: UpstreamState
}

/** The upstreams of some projects with their figures, oldest first. One statement. */
export async function listUpstreamStatuses(
  db: Kysely<Database>,
  projectIds: readonly number[],
): Promise<UpstreamStatus[]> {
  const rows = await db
    .selectFrom('upstreams as u')
    .innerJoin('projects as p', 'p.id', 'u.project_id')
    .selectAll('u')
    .select(['p.slug', 'p.name', 'p.platform', 'p.settings'])
    .select((of) =>
      of
        .selectFrom('outbox as o')
        .select('o.received_at')
        .whereRef('o.project_id', '=', 'u.project_id')
        .whereRef('o.upstream_id', '=', 'u.id')
        .where('o.failed_at', 'is', null)
        .orderBy('o.number')
        .limit(1)
        .as('oldest_at'),
    )
    .where('u.project_id', 'in', projectIds)
    .orderBy('p.name')
    .orderBy('u.project_id')
    .orderBy('u.created_at')
    .orderBy('u.id')
    .execute()
  return rows.flatMap((row) => toUpstreamStatus(row) ?? [])
}

interface UpstreamStatusRow extends Selectable<UpstreamsTable> {
  oldest_at: number | null
  slug: string
  name: string
  platform: string | null
  settings: string
}

function toUpstreamStatus(row: UpstreamStatusRow): UpstreamStatus | undefined {
  const upstream = toUpstream(row)
  if (upstream === undefined) return undefined
  return {
    ...upstream,
    project: toProjectName({ ...row, id: row.project_id }),
    isStoredHere: parseProjectSettings(row.settings).forwarding.isStoredHere,
    createdAt: row.created_at,
    waitingCount: row.waiting_count,
    waitingBytes: row.waiting_bytes,
    failedCount: row.failed_count,
    deliveredCount: row.delivered_count,
    droppedCount: row.dropped_count,
    oldestWaitingAt: row.oldest_at ?? undefined,
    state: parseUpstreamState(row.state),
  }
}
