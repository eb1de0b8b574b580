import { sql, type Selectable } from 'kysely'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { parseProjectSettings } from '#server/store/projects/settings.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { UpstreamsTable } from '#server/store/schema/upstreams.ts'
import { parseUpstreamState, toUpstream, type Upstream, type UpstreamState } from './upstreams.ts'

/** An upstream with the counts of its envelopes. */
export interface UpstreamStatus extends Upstream {
  project: ProjectName
  /** Whether the project stores its items. */
  isStoredHere: boolean
  createdAt: number
  waitingCount: number
  waitingBytes: number
  /** Permanently rejected envelopes: dead letters. */
  failedCount: number
  deliveredCount: number
  droppedCount: number
  /** When the oldest queued envelope was received. Unix milliseconds. */
  oldestWaitingAt?: number
  state: UpstreamState
}

/** The upstreams of some projects with their figures, oldest first. */
export async function listUpstreamStatuses(db: Db, projectIds: readonly number[]): Promise<UpstreamStatus[]> {
  const rows = await db
    .selectFrom('upstreams as u')
    .innerJoin('projects as p', 'p.id', 'u.project_id')
    .selectAll('u')
    .select(['p.slug', 'p.name', 'p.platform', 'p.settings'])
    .where('u.project_id', 'in', projectIds)
    .orderBy('p.name')
    .orderBy('u.project_id')
    .orderBy('u.created_at')
    .orderBy('u.id')
    .execute()
  const oldestAt = await findOldest(
    db,
    rows.filter((row) => row.waiting_count > 0),
  )
  return rows.flatMap((row) => toUpstreamStatus(row, oldestAt.get(row.id)) ?? [])
}

/** SQLite allows 500 parts of a `UNION ALL`. */
const queuesPerStatement = 100

/**
 * When the oldest queued envelope of each upstream was received, by the upstream's id: one index row each.
 * Each part names its project, because Citus cannot correlate envelopes, which are on a project's node, with
 * `upstreams`.
 */
async function findOldest(
  db: Db,
  upstreams: readonly Pick<Selectable<UpstreamsTable>, 'project_id' | 'id'>[],
): Promise<Map<string, number>> {
  const oldestAt = new Map<string, number>()
  for (let at = 0; at < upstreams.length; at += queuesPerStatement) {
    const parts = upstreams.slice(at, at + queuesPerStatement).map(
      (
        upstream,
      ) => sql`SELECT * FROM (SELECT upstream_id AS "upstreamId", received_at AS "receivedAt" FROM outbox
        WHERE project_id = ${upstream.project_id} AND upstream_id = ${upstream.id} AND failed_at IS NULL
        ORDER BY number LIMIT 1) AS oldest`,
    )
    const union = sql<{ upstreamId: string; receivedAt: number }>`${sql.join(parts, sql` UNION ALL `)}`
    const { rows } = await union.execute(db)
    for (const { upstreamId, receivedAt } of rows) oldestAt.set(upstreamId, receivedAt)
  }
  return oldestAt
}

interface UpstreamStatusRow extends Selectable<UpstreamsTable> {
  slug: string
  name: string
  platform: string | null
  settings: string
}

function toUpstreamStatus(
  row: UpstreamStatusRow,
  oldestWaitingAt: number | undefined,
): UpstreamStatus | undefined {
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
    oldestWaitingAt,
    state: parseUpstreamState(row.state),
  }
}
