import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'
import { readProcessUsage } from '../ingest/process-usage.ts'

/** The resources that a PostgreSQL server has used so far, for all its databases. */
export interface ServerUse {
  cpuMicros: number
  /** To logs and tables together. */
  writtenBytes: number
  walBytes: number
  /** Number of transactions that have written. */
  commitCount: number
}

/** Reads the resources used by a PostgreSQL server on this machine. */
export interface ServerMeter {
  read(): Promise<ServerUse>
  /** Makes a checkpoint, for which the role needs the privilege. Returns the bytes that it wrote. */
  checkpoint(): Promise<number>
  close(): Promise<void>
}

/** Creates a meter with its own connection, whose reads are counted, too. */
export async function createServerMeter(url: string): Promise<ServerMeter> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const readRow = async (sql: string) => (await client.query<Record<string, string>>(sql)).rows[0] ?? {}
  const { pid } = await readRow('SELECT pg_backend_pid() AS pid')
  const postmaster = readParent(Number(pid))
  const meter: ServerMeter = {
    async checkpoint() {
      const before = await meter.read()
      await client.query('CHECKPOINT')
      const after = await meter.read()
      return after.writtenBytes - before.writtenBytes
    },
    async read() {
      const row = await readRow(
        `SELECT pg_current_wal_insert_lsn() - '0/0' AS wal_bytes,
           pg_snapshot_xmax(pg_current_snapshot())::text AS commit_count`,
      )
      const children = listChildren(postmaster).flatMap(
        (child) => readWhileAlive(child, readProcessUsage) ?? [],
      )
      const first = readProcessUsage(postmaster)
      const usages = [first, ...children]
      return {
        cpuMicros: (first.endedCpuSeconds + sum(usages.map(({ cpuSeconds }) => cpuSeconds))) * 1e6,
        writtenBytes: sum(usages.map(({ writtenBytes }) => writtenBytes)),
        walBytes: Number(row['wal_bytes']),
        commitCount: Number(row['commit_count']),
      }
    },
    close: () => client.end(),
  }
  return meter
}

/** The child processes of the postmaster. */
function listChildren(postmaster: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isSafeInteger)
  return pids.filter((pid) => readWhileAlive(pid, readParent) === postmaster)
}

function readParent(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Undefined for a process that has just ended: the kernel has added its usage to that of its parent. */
function readWhileAlive<Value>(pid: number, read: (pid: number) => Value): Value | undefined {
  try {
    return read(pid)
  } catch {
    return undefined
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
