import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Client } from 'pg'

interface ServerUse {
  cpuMicros: number
  walBytes: number
}

/** Reads what a PostgreSQL server on this machine has used so far. */
export interface ServerMeter {
  read(): Promise<ServerUse>
  close(): Promise<void>
}

/** Creates a meter with a connection of its own. The server's processes are found in `/proc`. */
export async function createServerMeter(url: string): Promise<ServerMeter> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const microsPerTick = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
  return {
    async read() {
      const { rows } = await client.query<{ pid: number; wal_bytes: string }>(
        'SELECT pid, (SELECT wal_bytes FROM pg_stat_wal) AS wal_bytes FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
      )
      const ticks = rows.reduce((sum, { pid }) => sum + readTicks(pid), 0)
      return { cpuMicros: ticks * microsPerTick, walBytes: Number(rows[0]?.wal_bytes ?? 0) }
    },
    close: () => client.end(),
  }
}

/** CPU of a process in the kernel's ticks: utime and stime of proc(5). */
function readTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}
