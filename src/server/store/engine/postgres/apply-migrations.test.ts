import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { recordHeartbeat } from '#server/store/installation/processes.ts'
import { openStore } from '#server/store/store.ts'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import type { PostgresCluster } from '#test/postgres-cluster.ts'
import { testNow } from '#test/test-store.ts'
import { applyPostgresMigrations, readSchemaVersion } from './apply-migrations.ts'

const clock = () => testNow
const first = { version: 1, name: '0001_first', sql: 'CREATE TABLE first (a bigint)' }
const second = { version: 2, name: '0002_second', sql: 'CREATE TABLE second (a bigint)' }
const bad = {
  version: 2,
  name: '0002_bad',
  sql: 'CREATE TABLE half (a bigint); INSERT INTO nowhere VALUES (1)',
}

describe.skipIf(findPostgresPrograms() === undefined)('applying migrations to PostgreSQL', () => {
  let cluster: PostgresCluster
  let count = 0
  beforeAll(async () => {
    cluster = await startPostgresCluster()
  })
  afterAll(() => cluster.stop())

  async function connect(url?: string) {
    const client = new Client({ connectionString: url ?? (await createDatabase()) })
    await client.connect()
    onTestFinished(() => client.end())
    const tables = async () => {
      const sql = `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename`
      const { rows } = await client.query<{ tablename: string }>(sql)
      return rows.map(({ tablename }) => tablename)
    }
    return { client, tables }
  }

  function createDatabase(): Promise<string> {
    count += 1
    return cluster.createDatabase(`migrations_${count}`)
  }

  it('applies each once, in order, with its time', async () => {
    const { client, tables } = await connect()
    await applyPostgresMigrations(client, [first], clock)
    await applyPostgresMigrations(client, [first, second], () => testNow + 1)
    await applyPostgresMigrations(client, [first, second], clock)
    expect(await tables()).toEqual(['first', 'schema_migrations', 'second'])
    const { rows } = await client.query('SELECT * FROM schema_migrations ORDER BY version')
    expect(rows).toEqual([
      { version: '1', name: '0001_first', applied_at: String(testNow) },
      { version: '2', name: '0002_second', applied_at: String(testNow + 1) },
    ])
  })

  it('leaves the database at the migration before a failed one, and continues from there', async () => {
    const { client, tables } = await connect()
    await expect(applyPostgresMigrations(client, [first, bad], clock)).rejects.toThrow(/0002_bad failed/)
    expect(await tables()).toEqual(['first', 'schema_migrations'])
    await applyPostgresMigrations(client, [first, second], clock)
    expect(await readSchemaVersion(client)).toBe(2)
  })

  it('lets several processes migrate an empty database at the same time', async () => {
    const url = await createDatabase()
    const connections = await Promise.all(Array.from({ length: 6 }, () => connect(url)))
    await Promise.all(
      connections.map(({ client }) => applyPostgresMigrations(client, [first, second], clock)),
    )
    expect(await connections[0]?.tables()).toEqual(['first', 'schema_migrations', 'second'])
  })

  it('rejects a database that is newer', async () => {
    const { client, tables } = await connect()
    await applyPostgresMigrations(client, [first, second], clock)
    await expect(applyPostgresMigrations(client, [first], clock)).rejects.toThrow(
      /version 2, this one knows 1/,
    )
    expect(await tables()).toEqual(['first', 'schema_migrations', 'second'])
  })

  it('is left to the commands that may, and names the servers of an earlier version that still run', async () => {
    const url = await createDatabase()
    const warnings: object[] = []
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (facts: object) => void warnings.push(facts),
    }
    const open = async (schemaChanges: 'all' | 'creation' | 'none') => {
      const store = await openStore({ path: url, schemaChanges, log })
      onTestFinished(() => store.close())
      return store
    }
    await expect(open('none')).rejects.toThrow(/has no schema.*culvert migrate/)
    const server = { id: 'a', host: 'old.example', pid: 7, version: '0.2.0', origin: '', startedAt: 0 }
    const load = { itemsPerMinute: 0, cpuPermille: 0, memoryBytes: 0 }
    await recordHeartbeat(await open('creation'), { ...server, ...load })
    const { client } = await connect(url)
    const newest = await readSchemaVersion(client)
    await client.query('DELETE FROM schema_migrations WHERE version = $1', [newest])
    for (const changes of ['none', 'creation'] as const)
      await expect(open(changes)).rejects.toThrow(
        `has schema version ${newest - 1}, this Culvert needs ${newest}`,
      )
    expect(warnings).toEqual([])
    await open('all')
    expect(await readSchemaVersion(client)).toBe(newest)
    expect(warnings).toEqual([{ processes: ['old.example (7), 0.2.0'] }])
  })

  it('rejects a database of another program, and changes nothing', async () => {
    const { client, tables } = await connect()
    await client.query('CREATE TABLE orders (id bigint)')
    await expect(applyPostgresMigrations(client, [first], clock)).rejects.toThrow(
      /tables of another program: orders.*DATABASE_URL/,
    )
    expect(await tables()).toEqual(['orders'])
  })
})
