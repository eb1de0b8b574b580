import { Client } from 'pg'
import { findNewerSchema, readOwnMigrations } from '#server/store/engine/migrations.ts'
import { readSchemaVersion, requireWritable } from './apply-migrations.ts'
import { toPostgresError } from './error.ts'
import { clientConfig, hasPreparedNames, outliveLoss } from './pool.ts'
import { compareClocks } from './server-clock.ts'

/** The state of a PostgreSQL database, read without writing. */
export interface PostgresInspection {
  /** `15.13`, and 150013. */
  serverVersion: string
  serverVersionNumber: number
  /** 0 if the database has no tables of Culvert yet. */
  schemaVersion: number
  ownSchemaVersion: number
  /** The mismatch with a newer version, as the rest of a sentence about the database. */
  mismatch?: string
  /** The reason why the user cannot write. */
  writeProblem?: string
  /** True if the user may create tables, which migrations need. */
  canCreateTables: boolean
  usedBytes: number
  /** True for a pooler that runs each transaction in another session. */
  sharesSessions: boolean
  /** False for a pooler that shares sessions and does not support named statements. */
  hasNamedStatements: boolean
  /** True if the URL contains `pgbouncer=true`. */
  avoidsNames: boolean
  /** Milliseconds by which the server's clock is ahead of this machine's. */
  clockOffsetMs: number
}

/** Number of transactions on each of two connections: a pooler rarely gives all of them separate sessions. */
const transactionCount = 4

/** Inspects a database with two connections. Throws a `PostgresError` if it cannot be reached. */
export async function inspectPostgres(url: string): Promise<PostgresInspection> {
  const [one, other] = [await connect(url), await connect(url).catch(() => undefined)]
  try {
    const { rows } = await one.query<{ version: string; number: number; create: number; bytes: number }>(
      `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::bigint AS number,
         has_schema_privilege(current_schema(), 'CREATE') AS create, pg_database_size(current_database()) AS bytes`,
    )
    const [facts] = rows
    const { postgres: migrations } = await readOwnMigrations()
    const schemaVersion = await findSchemaVersion(one)
    const { offsetMs } = await compareClocks(one)
    return {
      serverVersion: facts?.version ?? '',
      serverVersionNumber: facts?.number ?? 0,
      schemaVersion,
      ownSchemaVersion: migrations.at(-1)?.version ?? 0,
      mismatch: findNewerSchema(schemaVersion, migrations),
      writeProblem: await requireWritable(one).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      ),
      canCreateTables: facts?.create === 1,
      usedBytes: facts?.bytes ?? 0,
      sharesSessions: other !== undefined && (await haveCommonSession(one, other)),
      hasNamedStatements: other === undefined || (await canNameStatements(one, other)),
      avoidsNames: !hasPreparedNames(url),
      clockOffsetMs: performance.now() + offsetMs - Date.now(),
    }
  } finally {
    await Promise.all([one.end(), other?.end()])
  }
}

async function connect(url: string): Promise<Client> {
  const client = outliveLoss(new Client(clientConfig(url)))
  try {
    await client.connect()
    return client
  } catch (error) {
    void client.end()
    throw toPostgresError(error)
  }
}

async function findSchemaVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ name: string | null }>(
    "SELECT to_regclass('schema_migrations')::text AS name",
  )
  return rows[0]?.name == null ? 0 : readSchemaVersion(client)
}

/** True if two connections at the same time share one session, because of a pooler in between. */
async function haveCommonSession(one: Client, other: Client): Promise<boolean> {
  const sessions = [new Set<number>(), new Set<number>()] as const
  for (let count = 0; count < transactionCount; count += 1) {
    for (const [at, client] of [one, other].entries()) {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      sessions[at === 0 ? 0 : 1].add(rows[0]?.pid ?? 0)
    }
  }
  return !sessions[0].isDisjointFrom(sessions[1])
}

async function canNameStatements(one: Client, other: Client): Promise<boolean> {
  try {
    for (let count = 0; count < transactionCount; count += 1) {
      for (const client of [one, other]) await client.query({ name: 'culvert_doctor', text: 'SELECT 1' })
    }
    return true
  } catch {
    return false
  }
}
