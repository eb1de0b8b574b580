import { parseDsn, type Dsn } from '#protocol/dsn.ts'
import type { Store } from '#server/store/store.ts'
import { parseUpstreamState, type UpstreamState } from './upstreams.ts'

/** The figures of one upstream. */
export interface UpstreamFigures {
  /** Of the project. */
  slug: string
  dsn: Dsn
  deliveredCount: number
  waitingCount: number
  waitingBytes: number
  failedCount: number
  droppedCount: number
  failureCount: number
  /** The state that its sender last wrote, at most a second ago. */
  state: UpstreamState
  isPaused: boolean
  /** Unix milliseconds. */
  oldestWaitingAt?: number
}

/**
 * The figures of all upstreams, synchronously: for callers that cannot wait. Empty once the store is closed.
 */
export function readUpstreamFigures({ connection }: Pick<Store, 'connection'>): UpstreamFigures[] {
  if (!connection.isOpen) return []
  const rows = connection
    .prepare(
      `SELECT p.slug, u.*, (SELECT o.received_at FROM outbox o
         WHERE o.project_id = u.project_id AND o.upstream_id = u.id AND o.failed_at IS NULL
         ORDER BY o.number LIMIT 1) AS oldest_at
       FROM upstreams u JOIN projects p ON p.id = u.project_id ORDER BY u.project_id, u.id`,
    )
    .all()
  return rows.flatMap((row) => toFigures(row) ?? [])
}

function toFigures(row: Record<string, unknown>): UpstreamFigures | undefined {
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
    ...(row['oldest_at'] !== null && { oldestWaitingAt: Number(row['oldest_at']) }),
  }
}
