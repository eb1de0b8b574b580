import { parseDsn, type Dsn } from '#protocol/dsn.ts'
import type { Store } from '#server/store/store.ts'
import { parseUpstreamState, type UpstreamState } from './upstreams.ts'

/** The figures of one upstream. */
export interface UpstreamFigures {
  /** The slug of the project. */
  slug: string
  dsn: Dsn
  deliveredCount: number
  waitingCount: number
  waitingBytes: number
  failedCount: number
  droppedCount: number
  failureCount: number
  /** The state that its sender wrote at most a second ago. */
  state: UpstreamState
  isPaused: boolean
  /** Unix milliseconds. */
  oldestWaitingAt?: number
}

/**
 * The figures of all upstreams, synchronously, for callers that cannot await. Empty once the store is closed.
 * Citus cannot correlate queued envelopes, which are on a project's node, with `upstreams`.
 */
export function readUpstreamFigures({ connection }: Pick<Store, 'connection'>): UpstreamFigures[] {
  if (!connection.isOpen) return []
  const rows = connection
    .prepare(
      `SELECT p.slug, u.* FROM upstreams u JOIN projects p ON p.id = u.project_id
       ORDER BY u.project_id, u.id`,
    )
    .all()
  const oldest = connection.prepare(
    `SELECT received_at FROM outbox WHERE project_id = ? AND upstream_id = ? AND failed_at IS NULL
     ORDER BY number LIMIT 1`,
  )
  return rows.flatMap((row) => {
    const { project_id: projectId = null, id = null, waiting_count: waiting } = row
    const oldestAt = Number(waiting) > 0 ? oldest.get(projectId, id)?.['received_at'] : undefined
    return toFigures(row, oldestAt) ?? []
  })
}

function toFigures(row: Record<string, unknown>, oldestAt: unknown): UpstreamFigures | undefined {
  const dsn = parseDsn(String(row['dsn']))
  if (dsn === undefined) return undefined
  const state = parseUpstreamState(String(row['state']))
  return {
    slug: String(row['slug']),
    dsn,
    state,
    deliveredCount: Number(row['delivered_count']),
    waitingCount: Number(row['waiting_count']),
    waitingBytes: Number(row['waiting_bytes']),
    failedCount: Number(row['failed_count']),
    droppedCount: Number(row['dropped_count']),
    failureCount: state.failureCount ?? 0,
    isPaused: row['is_paused'] === 1,
    ...(oldestAt !== undefined && { oldestWaitingAt: Number(oldestAt) }),
  }
}
