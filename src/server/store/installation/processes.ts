import { limits } from '#server/limits.ts'
import type { Store } from '#server/store/store.ts'

/** A server that has the database open. */
export interface ProcessRecord {
  id: string
  host: string
  pid: number
  version: string
  /** The origin of its DSNs: `https://culvert.example`. */
  origin: string
  /** Unix milliseconds. */
  startedAt: number
  /** Since the previous heartbeat. */
  itemsPerMinute: number
  /** Of one core, since the previous heartbeat. */
  cpuPermille: number
  /** Resident memory. */
  memoryBytes: number
}

/** A process with its record and the time of its last heartbeat, in Unix milliseconds. */
export interface SeenProcess extends ProcessRecord {
  seenAt: number
}

/** Records that a process is alive, and deletes processes that ended without deregistering. */
export async function recordHeartbeat(
  { writer, clock }: Pick<Store, 'writer' | 'clock'>,
  process: ProcessRecord,
): Promise<void> {
  const now = clock()
  const changing = {
    origin: process.origin,
    seen_at: now,
    items_per_minute: process.itemsPerMinute,
    cpu_permille: process.cpuPermille,
    memory_bytes: process.memoryBytes,
  }
  const { id, host, pid, version, startedAt: started_at } = process
  // In a transaction: the caches of batches remain valid across it (SyncConnection.isAlone).
  await writer.transaction().execute(async (tx) => {
    await tx
      .insertInto('processes')
      .values({ id, host, pid, version, started_at, ...changing })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
      .execute()
    await tx
      .deleteFrom('processes')
      .where('seen_at', '<', now - limits.processForgottenMs)
      .execute()
  })
}

/** Deregisters a process that ends. */
export async function removeProcess({ writer }: Pick<Store, 'writer'>, id: string): Promise<void> {
  await writer.deleteFrom('processes').where('id', '=', id).execute()
}

/** The registered processes, in the order of their start. One statement. */
export async function listProcesses({ db }: Pick<Store, 'db'>): Promise<SeenProcess[]> {
  const rows = await db.selectFrom('processes').selectAll().orderBy('started_at').orderBy('id').execute()
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    pid: row.pid,
    version: row.version,
    origin: row.origin,
    startedAt: row.started_at,
    seenAt: row.seen_at,
    itemsPerMinute: row.items_per_minute,
    cpuPermille: row.cpu_permille,
    memoryBytes: row.memory_bytes,
  }))
}

/** True if a process counts as alive. */
export function isAlive({ seenAt }: Pick<SeenProcess, 'seenAt'>, now: number): boolean {
  // The absolute difference: a clock that was set back must not keep it alive.
  return Math.abs(now - seenAt) < limits.heartbeatLateMs
}
