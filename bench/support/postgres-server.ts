import { tmpdir } from 'node:os'
import { Client } from 'pg'
import { startPostgresCluster } from '../../test/support/postgres-cluster.ts'

/** A PostgreSQL server on this machine that benchmarks may use. */
export interface BenchPostgres {
  /** Of any of its databases. */
  url: string
  stop(): Promise<void>
}

/** As docs/postgresql.md recommends; fsync and synchronous commits are PostgreSQL's defaults. */
const settings = { min_wal_size: '1GB', max_wal_size: '4GB', shared_buffers: '512MB' }

/** Files of the log, of 16 MB each. */
const logFiles = 40

/** That of `DATABASE_URL`, or else a new one that writes every commit to the disk. */
export async function openBenchPostgres(): Promise<BenchPostgres> {
  const given = process.env['DATABASE_URL']
  if (given !== undefined) return { url: given, stop: () => Promise.resolve() }
  const cluster = await startPostgresCluster({ isDurable: true, settings, folder: tmpdir() })
  const url = cluster.urlOf('postgres')
  await ageLog(url)
  return { url, stop: () => cluster.stop() }
}

/**
 * A server that has run for a while writes its log into files that it has, a new one fills each with zeros.
 */
async function ageLog(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (let file = 0; file < logFiles; file += 1)
    await client.query(`SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal()`)
  await client.query('CHECKPOINT')
  await client.end()
}
