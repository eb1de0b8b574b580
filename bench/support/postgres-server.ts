import { tmpdir } from 'node:os'
import { Client } from 'pg'
import { startPostgresCluster } from '#test/postgres-cluster.ts'

/** A PostgreSQL server on this machine that benchmarks may use. */
export interface BenchPostgres {
  /** URL of any of its databases. */
  url: string
  stop(): Promise<void>
}

/** The settings of docs/postgresql.md; fsync and synchronous commits are PostgreSQL's defaults. */
const settings = { min_wal_size: '1GB', max_wal_size: '4GB', shared_buffers: '512MB' }

/** Files of the write-ahead log, of 16 MB each. */
const logFiles = 40

/** The server of `DATABASE_URL`, or a new one with synchronous commits. */
export async function openBenchPostgres(): Promise<BenchPostgres> {
  const given = process.env['DATABASE_URL']
  if (given !== undefined) return { url: given, stop: () => Promise.resolve() }
  const cluster = await startPostgresCluster({ isDurable: true, settings, folder: tmpdir() })
  const url = cluster.urlOf('postgres')
  await ageLog(url)
  return { url, stop: () => cluster.stop() }
}

/** A server that has run for a while recycles files of its log; a new one first fills each with zeros. */
async function ageLog(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (let file = 0; file < logFiles; file += 1)
    await client.query(`SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal()`)
  await client.query('CHECKPOINT')
  await client.end()
}
