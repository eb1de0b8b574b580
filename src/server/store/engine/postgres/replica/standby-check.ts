import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { QueriedServer } from '#server/store/engine/postgres/pool.ts'
import type { ReplicaState } from '#server/store/engine/read-replica.ts'

/** The state of a standby, and the log position up to which it is complete. */
export interface CheckedStandby extends ReplicaState {
  replayed: number
}

/** The end of the log, in bytes since its beginning. */
const writtenSql = "pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"

/** A primary and its standby have both values in common. */
const identitySql =
  "(SELECT system_identifier FROM pg_control_system())::text || ' ' || current_database() AS identity"

const primarySql = `SELECT ${writtenSql} AS written,
  (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, ${identitySql}`

const standbySql = `SELECT pg_is_in_recovery() AS is_standby,
  coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint AS replayed,
  (extract(epoch FROM pg_last_xact_replay_timestamp()) * 1000)::bigint AS replayed_at, ${identitySql}`

interface PrimaryRow {
  /** Bytes. */
  written: number
  /** Unix milliseconds. */
  now: number
  identity: string
}

interface StandbyRow {
  /** 0 or 1. */
  is_standby: number
  replayed: number
  /** When the last transaction on the standby was committed, by the primary's clock. Unix milliseconds. */
  replayed_at: number | null
  identity: string
}

/** The end of the primary's log, after everything that was committed before the call. */
export async function readLogEnd(primary: QueriedServer): Promise<number> {
  const { rows } = await primary.query(`SELECT ${writtenSql} AS written`)
  const [row] = rows
  if (row === undefined) throw new Error('the primary has no position in its log')
  return Number(row['written'])
}

/** Compares a standby with its primary. Never rejects: an unreachable server is a result. */
export async function checkStandby(primary: QueriedServer, standby: QueriedServer): Promise<CheckedStandby> {
  try {
    const { rows: own } = await primary.query(primarySql)
    const { rows: others } = await standby.query(standbySql)
    const found = toStandbyRow(others[0])
    return { ...judgeStandby(toPrimaryRow(own[0]), found), replayed: found.replayed }
  } catch (error) {
    return { isUsed: false, problem: `it does not respond: ${errorMessage(error)}`, replayed: 0 }
  }
}

function toPrimaryRow(row: Record<string, unknown> = {}): PrimaryRow {
  return { written: Number(row['written']), now: Number(row['now']), identity: String(row['identity']) }
}

function toStandbyRow(row: Record<string, unknown> = {}): StandbyRow {
  const replayedAt = row['replayed_at']
  return {
    is_standby: Number(row['is_standby']),
    replayed: Number(row['replayed']),
    replayed_at: replayedAt === null ? null : Number(replayedAt),
    identity: String(row['identity']),
  }
}

/** The result of comparing the rows of both servers. */
export function judgeStandby({ written, now, identity }: PrimaryRow, standby: StandbyRow): ReplicaState {
  if (standby.is_standby === 0)
    return { isUsed: false, problem: 'it is not a standby of streaming replication' }
  if (standby.identity !== identity)
    return { isUsed: false, problem: 'it is a standby of another server, or another database' }
  if (standby.replayed >= written) return { isUsed: true, lagMs: 0 }
  if (standby.replayed_at === null)
    return { isUsed: false, problem: 'it is behind, and has replayed nothing since it started' }
  const lagMs = Math.max(0, now - standby.replayed_at)
  if (lagMs <= limits.replicaLagMs) return { isUsed: true, lagMs }
  return { isUsed: false, lagMs, problem: `it is more than ${limits.replicaLagMs / 1000} seconds behind` }
}
