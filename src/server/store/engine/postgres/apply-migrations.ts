import type { Client } from 'pg'
import { limits } from '#server/limits.ts'
import { findNewerSchema, SchemaMismatchError, type Migration } from '#server/store/engine/migrations.ts'
import { PostgresError } from './error.ts'

/** The key of the advisory lock for migrations: any number that no other program uses. */
const lockKey = 0x63_75_6c_76

type Connection = Pick<Client, 'query'>

/** The oldest version with which Culvert is tested, by its number: PostgreSQL 15. */
export const oldestServerNumber = 150_000

/**
 * Applies all pending migrations, one transaction each, recorded in `schema_migrations`. Safe when several
 * processes do it at the same time: a lock serializes them. A migration that fails leaves the database at the
 * previous one. Throws a `SchemaMismatchError` if the database has a newer version, or belongs to another
 * program.
 */
export async function applyPostgresMigrations(
  connection: Connection,
  migrations: Migration[],
  clock: () => number,
): Promise<void> {
  await requireServer(connection)
  await inTurn(connection, () => createMigrationTable(connection))
  const mismatch = findNewerSchema(await readSchemaVersion(connection), migrations)
  if (mismatch !== undefined) throw new SchemaMismatchError(`the database ${mismatch}`)
  for (const migration of migrations) {
    try {
      await inTurn(connection, () => applyMigration(connection, migration, clock))
    } catch (error) {
      throw new Error(`migration ${migration.name} failed; the database is as it was before it`, {
        cause: error,
      })
    }
  }
}

/** Migrations would fail with errors about their SQL. */
async function requireServer(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ version: string; number: string | number; encoding: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::bigint AS number,
       current_setting('server_encoding') AS encoding`,
  )
  const { version = '', number = 0, encoding = '' } = rows[0] ?? {}
  if (Number(number) < oldestServerNumber)
    throw new SchemaMismatchError(`PostgreSQL ${version} is too old: Culvert requires version 15 or later`)
  if (encoding !== 'UTF8') {
    throw new SchemaMismatchError(
      `the database has the encoding ${encoding}. Create an empty database with ENCODING 'UTF8' TEMPLATE template0 and ` +
        'name it in DATABASE_URL',
    )
  }
}

/** Throws a `SchemaMismatchError` unless the database has exactly these migrations. Writes nothing. */
export async function requirePostgresSchema(connection: Connection, migrations: Migration[]): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0
  const found = await findSchemaVersion(connection)
  const newer = findNewerSchema(found, migrations)
  if (newer !== undefined) throw new SchemaMismatchError(`the database ${newer}`)
  if (found === newest) return
  const has = found === 0 ? 'has no schema' : `has schema version ${found}, this Culvert needs ${newest}`
  throw new SchemaMismatchError(
    `the database ${has}. Run "culvert migrate" of this version with the same DATABASE_URL`,
  )
}

/**
 * The running servers on a database with an earlier schema, as `HOST (PID), VERSION`; undefined for another
 * database.
 */
export async function findOldSchema(
  connection: Connection,
  migrations: Migration[],
): Promise<{ processes: string[] } | undefined> {
  const found = await findSchemaVersion(connection)
  if (found === 0 || found >= (migrations.at(-1)?.version ?? 0)) return undefined
  const { rows } = await connection.query<{ host: string; pid: string; version: string }>(
    `SELECT host, pid, version FROM processes
     WHERE abs(extract(epoch FROM clock_timestamp()) * 1000 - seen_at) < $1 ORDER BY started_at, id`,
    [limits.heartbeatLateMs],
  )
  return { processes: rows.map(({ host, pid, version }) => `${host} (${pid}), ${version}`) }
}

/** The version of the last migration; 0 if the database has no schema of Culvert. */
async function findSchemaVersion(connection: Connection): Promise<number> {
  return (await isOwnMigrationTable(connection)) ? readSchemaVersion(connection) : 0
}

/**
 * Throws a `PostgresError` if the user cannot write: if the server is a replica, transactions of the user are
 * read-only, or the user lacks the permission to change Culvert's tables. Writes nothing.
 */
export async function requireWritable(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ is_read_only: string; may_write: number | null }>(
    `SELECT current_setting('transaction_read_only') AS is_read_only,
       (SELECT has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
        FROM pg_class WHERE oid = to_regclass('events')) AS may_write`,
  )
  if (rows[0]?.is_read_only === 'on') throw new PostgresError('its transactions are read-only', '25006')
  if (rows[0]?.may_write === 0)
    throw new PostgresError('the user may not change the tables of Culvert', '42501')
}

/** The version of the last migration; 0 if there is none. Throws if `schema_migrations` is missing. */
export async function readSchemaVersion(connection: Connection): Promise<number> {
  const { rows } = await connection.query<{ version: string | number }>(
    'SELECT coalesce(max(version), 0) AS version FROM schema_migrations',
  )
  return Number(rows[0]?.version)
}

/** The lock belongs to the transaction, not to the session: a pooler may run each in another session. */
async function inTurn(connection: Connection, work: () => Promise<void>): Promise<void> {
  await connection.query('BEGIN')
  try {
    await connection.query('SELECT pg_advisory_xact_lock($1)', [lockKey])
    await work()
    await connection.query('COMMIT')
  } catch (error) {
    // Without a connection there is nothing to roll back, and the first error is the cause.
    await connection.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function createMigrationTable(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
  )
  const names = rows.map(({ tablename }) => tablename)
  if (names.includes('schema_migrations') && (await isOwnMigrationTable(connection))) return
  if (names.length > 0) {
    throw new SchemaMismatchError(
      `the database has tables of another program: ${names.slice(0, 3).join(', ')}. ` +
        'Create an empty database for Culvert and name it in DATABASE_URL',
    )
  }
  await connection.query(
    `CREATE TABLE schema_migrations (
       version bigint NOT NULL PRIMARY KEY, name text COLLATE "C" NOT NULL, applied_at bigint NOT NULL)`,
  )
}

/** Other programs have a table of this name: Rails, golang-migrate. */
async function isOwnMigrationTable(connection: Connection): Promise<boolean> {
  const { rows } = await connection.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = to_regclass('schema_migrations') AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  )
  return rows.map(({ name }) => name).join() === 'version,name,applied_at'
}

async function applyMigration(
  connection: Connection,
  { version, name, sql }: Migration,
  clock: () => number,
): Promise<void> {
  if ((await readSchemaVersion(connection)) >= version) return
  await connection.query(sql)
  await connection.query('INSERT INTO schema_migrations (version, name, applied_at) VALUES ($1, $2, $3)', [
    version,
    name,
    clock(),
  ])
}
