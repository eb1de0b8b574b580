import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openStore, type Store } from '#server/store/store.ts'
import { createPostgresDatabase } from '#test/postgres-database.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { fillStore, type FillOptions } from '../reads/fill-store.ts'
import { benchEnvelopePath, createBenchProject } from '../support/project.ts'
import { readProperty } from '../support/run-child.ts'
import { createServerMeter, type ServerMeter } from '../support/server-meter.ts'

/** A server under load, in its own process. */
export interface Target {
  origin: string
  /** Where to post envelopes. */
  path: string
  pid: number
  /** Meter of its database server. */
  databaseMeter?: ServerMeter
  /** Number of event rows in its store. */
  countEvents(): Promise<number>
  /** Resolves once the stored events have been added to the counts of their issues. */
  waitUntilCounted(): Promise<void>
  /** The result of a statement with a single column `n`, run on its store. */
  readNumber(sql: string): Promise<number>
  stop(): Promise<void>
}

/** Differences from a default project that receives envelopes at its endpoint. */
export interface CulvertTargetOptions {
  prepare?: (store: Store) => Promise<void>
  /** Events in its store before the measurement. */
  fill?: Omit<FillOptions, 'path'> | undefined
  path?: string
  /** Serves the console, as in a release; it must be built. */
  hasConsole?: boolean
}

const countOfDeltas = 'SELECT count(*) AS n FROM (SELECT 1 FROM counter_deltas LIMIT 1) AS waiting'
const deltaPollMs = 50
const mostDeltaWaitMs = 60_000
const countOfEvents = 'SELECT count(*) AS n FROM events'

/** As `npm start` runs it: the bundle of the build, with its flag. */
const culvertArgs = [
  '--max-semi-space-size=16',
  join(import.meta.dirname, '../../dist/program/program.js'),
  'start',
  '--ingest-only',
]

/** Culvert as released, without the console unless `hasConsole` is set. */
export async function startCulvert({
  prepare,
  fill,
  path = benchEnvelopePath,
  hasConsole = false,
}: CulvertTargetOptions = {}): Promise<Target> {
  const dataDir = await createTempDir()
  const file = join(dataDir.path, 'culvert.db')
  if (fill) await fillStore({ ...fill, path: file })
  const store = await openStore({ path: file, clock: Date.now })
  if (!fill) await createBenchProject(store)
  await prepare?.(store)
  await store.close()
  const args = hasConsole ? culvertArgs.filter((arg) => arg !== '--ingest-only') : culvertArgs
  return start(dataDir, { args, path })
}

/** The same with its own database on a PostgreSQL server; the URL names any database of that server. */
export async function startCulvertOnPostgres(
  server: string,
  { fill }: Pick<CulvertTargetOptions, 'fill'> = {},
): Promise<Target> {
  const dataDir = await createTempDir()
  const { url, drop } = await createPostgresDatabase(server)
  if (fill) await fillStore({ ...fill, path: url })
  const store = await openStore({ path: url, clock: Date.now })
  if (!fill) await createBenchProject(store)
  await store.close()
  const target = await startOnDatabase(url, { dataDir, path: benchEnvelopePath })
  const client = new Client({ connectionString: url })
  await client.connect()
  const databaseMeter = await createServerMeter(url)
  const readNumber = async (sql: string) => Number((await client.query<{ n: string }>(sql)).rows[0]?.n)
  return {
    ...target,
    databaseMeter,
    countEvents: () => readNumber(countOfEvents),
    waitUntilCounted: () => waitForCounts(readNumber),
    readNumber,
    async stop() {
      await Promise.all([target.stop(), client.end(), databaseMeter.close()])
      await drop()
    },
  }
}

/** One of several processes of Culvert on a PostgreSQL database. */
export async function startOnDatabase(
  databaseUrl: string,
  given: { path: string; dataDir?: TempDir },
): Promise<Target> {
  const { path, dataDir = await createTempDir() } = given
  return start(dataDir, { args: culvertArgs, path, databaseUrl })
}

type TempDir = Awaited<ReturnType<typeof createTempDir>>

/** The baseline: see `floor-server.ts`, or another program of the same kind. */
export async function startFloor(program = 'floor-server.ts'): Promise<Target> {
  const dataDir = await createTempDir()
  return start(dataDir, { args: [join(import.meta.dirname, program), dataDir.path], path: '/' })
}

async function start(
  dataDir: TempDir,
  { args, path, databaseUrl }: { args: string[]; path: string; databaseUrl?: string },
): Promise<Target> {
  const child = spawn(process.execPath, args, {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      HOST: '127.0.0.1',
      CULVERT_DATA_DIR: dataDir.path,
      DATABASE_URL: databaseUrl,
      CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const origin = String(await readProperty(child, 'address'))
  function readNumber(sql: string): Promise<number> {
    // Not `openStore`, which would checkpoint the write-ahead log while the server is measured.
    const connection = new DatabaseSync(join(dataDir.path, 'culvert.db'), { readOnly: true })
    const row = connection.prepare(sql).get()
    connection.close()
    return Promise.resolve(Number(row?.['n']))
  }
  return {
    origin,
    path,
    pid: child.pid ?? 0,
    countEvents: () => readNumber(countOfEvents),
    waitUntilCounted: () => waitForCounts(readNumber),
    readNumber,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await dataDir.remove()
    },
  }
}

async function waitForCounts(readNumber: Target['readNumber']): Promise<void> {
  for (let waitedMs = 0; (await readNumber(countOfDeltas)) > 0; waitedMs += deltaPollMs) {
    if (waitedMs >= mostDeltaWaitMs) throw new Error('events are still not counted after a minute')
    await sleep(deltaPollMs)
  }
}
