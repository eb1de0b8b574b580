import { Kysely } from 'kysely'
import { Client } from 'pg'
import { errorCode } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { createStoreCondition } from '#server/store/condition.ts'
import { readOwnMigrations, SchemaMismatchError } from '#server/store/engine/migrations.ts'
import { createLock } from '#server/store/engine/sqlite/lock.ts'
import { toReadLog, type OpenStoreOptions, type StoreParts } from '#server/store/engine/store-parts.ts'
import type { Database } from '#server/store/schema/database.ts'
import {
  applyPostgresMigrations,
  findOldSchema,
  requirePostgresSchema,
  requireWritable,
} from './apply-migrations.ts'
import { hasUnfinishedCopy } from './copy-target.ts'
import { createPostgresEngine } from './engine.ts'
import { toPostgresError } from './error.ts'
import {
  createConnect,
  createQueriedServer,
  createReaderDialect,
  createWriterDialect,
} from './kysely-dialect.ts'
import { ServerWatch } from './liveness/server-watch.ts'
import { clientConfig, createPool, hasPreparedNames, outliveLoss } from './pool.ts'
import { createProjectGate } from './project-gate.ts'
import { openReplica } from './replica/open-replica.ts'
import { compareClocks, createServerClock, type ClockOffset } from './server-clock.ts'
import { NamedReads } from './statements/named-reads.ts'
import { SyncConnection } from './sync-connection.ts'

/** Connections for reads. The screens of one process rarely need more at a time. */
const readers = { size: 8, idleMs: 30_000 }

/** The same for a serverless instance, because there may be many of them. */
const serverlessReaders = { size: 4, idleMs: 5_000 }

/** SQLSTATE: the server closed a connection that was unused for its `idle_session_timeout`. */
const idleSessionTimeout = '57P05'

/** Milliseconds that this thread waits for other writers before the event loop continues. */
const lockWaitMs = 50

/**
 * Opens a PostgreSQL database by its URL and migrates its schema. Any number of processes may open it. Throws
 * if the server cannot be reached, or the schema is newer than this version or of another program.
 */
export async function openPostgresStore(options: OpenStoreOptions): Promise<StoreParts> {
  const { path: url, onWrite, log } = options
  const clockOffset = await prepareSchema(url, options)
  const watch = new ServerWatch(url)
  const connection = new SyncConnection(url, { lockWaitMs, watch })
  const condition = createStoreCondition({ log })
  const writeLock = createLock()
  const pooled = options.isServerless ? serverlessReaders : readers
  const pool = createPool({ url, ...pooled, answerMs: limits.postgresReadMs })
  const reads = new NamedReads(hasPreparedNames(url))
  const connect = createConnect(pool, { watch, reads, onFailure: options.onConnectFailure })
  const primary = createQueriedServer(connect)
  const serverClock = createServerClock(primary, clockOffset)
  // The next query replaces a connection that is lost while idle. The error has pg's client as a property,
  // with texts of queries and the key that cancels them.
  pool.on('error', (error) => {
    const level = errorCode(error) === idleSessionTimeout ? 'warn' : 'error'
    log?.[level]({ reason: error.message }, 'a connection to PostgreSQL was lost')
  })
  const db = new Kysely<Database>({
    dialect: createReaderDialect({
      pool,
      connect,
      ...(options.onStatement && { onStatement: options.onStatement }),
    }),
    plugins: options.readPlugins ?? [],
    ...toReadLog(options.onRead),
  })
  const replica =
    options.readUrl === undefined
      ? undefined
      : openReplica({
          url: options.readUrl,
          ...pooled,
          primary,
          connectPrimary: connect,
          log,
          onStatement: options.onStatement,
          plugins: options.readPlugins ?? [],
          onRead: options.onRead,
        })
  const writer = new Kysely<Database>({
    dialect: createWriterDialect({
      connection,
      lock: writeLock,
      connect,
      ...(onWrite && { onDone: onWrite }),
    }),
  })
  const writeGate = createProjectGate(connection, condition)
  const close = async () => {
    serverClock.stop()
    await Promise.all([db.destroy(), writer.destroy(), replica?.db.destroy()])
    await writeLock.acquire()
    if (connection.isOpen) connection.close()
    writeLock.release()
  }
  const engine = createPostgresEngine(connection, primary)
  const clock = options.clock ?? serverClock.now
  return {
    db,
    replica,
    writer,
    connection,
    engine,
    clock,
    writeLock,
    writeGate,
    condition,
    close,
  }
}

const oldProcessesText =
  'the schema is being upgraded while servers of an earlier version run on this database: stop them, because they ' +
  'do not know the new schema'

/** Also returns the offset of the server's clock. */
async function prepareSchema(
  url: string,
  { clock = Date.now, isServerless = false, schemaChanges = 'all', log }: OpenStoreOptions,
): Promise<ClockOffset> {
  const client = outliveLoss(new Client(clientConfig(url)))
  try {
    await client.connect()
  } catch (error) {
    // Without a password the driver leaves the connection open, which would keep the process alive.
    void client.end()
    throw toPostgresError(error)
  }
  try {
    const { postgres: migrations } = await readOwnMigrations()
    const old = await findOldSchema(client, migrations)
    const mayCreate = !isServerless && schemaChanges !== 'none'
    if (mayCreate && (old === undefined || schemaChanges === 'all')) {
      if (old !== undefined && old.processes.length > 0) log?.error(old, oldProcessesText)
      await applyPostgresMigrations(client, migrations, clock)
    } else await requirePostgresSchema(client, migrations)
    await requireWritable(client)
    if (await hasUnfinishedCopy(client)) {
      throw new SchemaMismatchError(
        'the database holds an unfinished copy of a data directory: finish it with "culvert copy"',
      )
    }
    return await compareClocks(client)
  } finally {
    await client.end()
  }
}
