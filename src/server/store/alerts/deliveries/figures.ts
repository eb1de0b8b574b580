import type { Store } from '#server/store/store.ts'

/** The pending messages of a channel. */
export interface WaitingFigures {
  channel: string
  waitingCount: number
  /** When the oldest was due, in Unix milliseconds. */
  oldestDueAt: number
}

/**
 * Counts the pending messages by channel, synchronously, for callers that cannot await. Empty once the store
 * is closed.
 */
export function readWaitingFigures({ connection }: Pick<Store, 'connection'>): WaitingFigures[] {
  if (!connection.isOpen) return []
  const rows = connection
    .prepare(
      `SELECT CASE WHEN d.push_id IS NULL THEN coalesce(t.channel, 'email') ELSE 'push' END AS channel,
         count(*) AS waiting_count, min(d.due_at) AS oldest_due_at
       FROM alert_deliveries d LEFT JOIN alert_destinations t ON t.id = d.destination_id
       WHERE d.status = 'waiting' GROUP BY 1 ORDER BY 1`,
    )
    .all()
  return rows.map((row) => ({
    channel: String(row['channel']),
    waitingCount: Number(row['waiting_count']),
    oldestDueAt: Number(row['oldest_due_at']),
  }))
}

/** A destination that fails or is disabled. */
export interface TroubledDestination {
  name: string
  channel: string
  /** Unix milliseconds; absent if nothing has been tried since. */
  failingSince?: number
  isDisabled: boolean
}

/** The destinations that fail or are disabled, synchronously. */
export function readTroubledDestinations({ connection }: Pick<Store, 'connection'>): TroubledDestination[] {
  if (!connection.isOpen) return []
  const rows = connection
    .prepare(
      `SELECT name, channel, failing_since, disabled_at FROM alert_destinations
       WHERE failing_since IS NOT NULL OR disabled_at IS NOT NULL ORDER BY name, id`,
    )
    .all()
  return rows.map((row) => ({
    name: String(row['name']),
    channel: String(row['channel']),
    isDisabled: row['disabled_at'] !== null,
    failingSince: row['failing_since'] === null ? undefined : Number(row['failing_since']),
  }))
}
