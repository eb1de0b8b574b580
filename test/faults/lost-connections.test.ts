import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openInstallation } from '#server/data-dir/open-installation.ts'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { skipNote } from './support/fault-tools.ts'

const hindrance = findPostgresPrograms() === undefined ? 'no PostgreSQL is installed' : undefined

let cluster: PostgresCluster

beforeAll(async () => {
  if (hindrance === undefined) cluster = await startPostgresCluster()
})
afterAll(async () => {
  if (hindrance === undefined) await cluster.stop()
})

/** Runs a statement as the superuser. */
async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Opens a connection to a database, and returns the lines that its log gets, each with its level. */
async function openWithLog(databaseUrl: string): Promise<unknown[]> {
  const lines: unknown[] = []
  const log = {
    info: () => undefined,
    warn: (...line: unknown[]) => void lines.push(['warn', ...line]),
    error: (...line: unknown[]) => void lines.push(['error', ...line]),
  }
  const { store, close } = await openInstallation(
    { dataDir: '', databaseUrl },
    { setsDamageAside: false, log },
  )
  onTestFinished(close)
  await store.db.selectFrom('projects').select('id').execute()
  return lines
}

describe.skipIf(hindrance !== undefined)(`the log of a lost connection${skipNote(hindrance)}`, () => {
  it('has the reason, and nothing of the client', async () => {
    const lines = await openWithLog(await cluster.createDatabase('losing'))
    await execute(
      cluster.urlOf('postgres'),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'losing'`,
    )
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(lines[0]).toEqual([
      'error',
      { reason: 'terminating connection due to administrator command' },
      'a connection to PostgreSQL was lost',
    ])
  })

  it('is a warning if the server closed it because it was unused', async () => {
    const databaseUrl = await cluster.createDatabase('idling')
    await execute(databaseUrl, "ALTER DATABASE idling SET idle_session_timeout = '500ms'")
    const lines = await openWithLog(databaseUrl)
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBeGreaterThan(0)
    expect(lines[0]).toEqual([
      'warn',
      { reason: 'terminating connection due to idle-session timeout' },
      'a connection to PostgreSQL was lost',
    ])
  })
})
