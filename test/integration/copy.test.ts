import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataDir } from '#server/data-dir/open.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { TraceRecord } from '#server/store/ingest/records.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { bundledProgram } from '#test/bundled-program.ts'
import { mergeIssues, ofIssue } from '#test/kept-store.ts'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { queryPostgres } from '#test/query-postgres.ts'
import { runCulvert } from '#test/server-process.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { makeEventRecord, makeTestFolder, testId, testNow } from '#test/test-store.ts'

const clock = () => testNow
const open = (dataDir: string) => openDataDir({ dataDir, setsDamageAside: false, clock })

/** A data directory with two merged issues of three, and texts that PostgreSQL rejects as they are. */
async function makeInstallation(): Promise<string> {
  const dataDir = join(await makeTestFolder(), 'data')
  const opened = await open(dataDir)
  await createProject(opened.store, { id: 1, name: 'Web' })
  await commit(opened.store, 300)
  await mergeIssues(opened.store, 'issue 1', 'issue 0')
  await opened.close()
  return dataDir
}

async function commit(store: Store, count: number, prefix = 'event'): Promise<void> {
  const committer = createCommitter(store)
  for (let first = 0; first < count; first += 100) {
    const events = Array.from({ length: 100 }, (_, at) => {
      const eventId = testId(`${prefix} ${first + at}`)
      return makeEventRecord({
        ...ofIssue(`issue ${at % 3}`),
        eventId,
        subtitle: `a "quoted" \\ handleClick ${at % 3}`,
        userKey: `id:${at}`,
        release: `web@${at % 5}`,
        tags: [['browser', `Fire\u0000fox ${at}`]],
        payload: Buffer.from(JSON.stringify({ event_id: eventId })),
      })
    })
    await committer.commit({ events, outcomes: [], deadLetters: [], traces: [toTrace(`${prefix} ${first}`)] })
  }
}

/** A transaction whose event id is made of its name. */
function toTrace(name: string): TraceRecord {
  return {
    projectId: 1,
    category: 'transaction',
    quantity: 1,
    traceId: testId(`trace ${name}`),
    eventId: testId(`transaction ${name}`),
    spanId: 'a'.repeat(16),
    isRoot: true,
    startedAt: testNow,
    durationUs: 1,
    spanCount: 1,
    op: 'task',
    name: 'job',
    isError: false,
    environment: '',
    receivedAt: testNow,
    payload: Buffer.from(name),
  }
}

/** So many that the command is interrupted while it copies them. */
const manyRows = 40_000

/** Rows of which only the number matters. */
function addTags(dataDir: string, count: number): void {
  const database = new DatabaseSync(join(dataDir, 'culvert.db'))
  database.exec(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
     INSERT INTO issue_tags SELECT project_id, id, 'number', n, n, n FROM numbers, (SELECT * FROM issues LIMIT 1)`,
  )
  database.close()
}

/** Every table except those of a process and of an engine: its rows as sorted texts. */
function dump(store: Store): Map<string, string[]> {
  const own = new Set(['schema_migrations', 'leases', 'processes', 'copy_progress'])
  const tables = store.engine
    .listTableKeys()
    .map(({ table }) => table)
    .filter((table) => !own.has(table) && !table.startsWith('issue_texts'))
  return new Map(
    tables.toSorted().map((table) => {
      const columns = store.engine.listColumns(table)
      const rows = store.connection.prepare(`SELECT ${columns.join(', ')} FROM ${table}`).all()
      return [table, rows.map((row) => columns.map((name) => toText(row[name])).join('|')).toSorted()]
    }),
  )
}

function toText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return String(value).replaceAll('\0', '\u{FFFD}')
}

async function expectSame(dataDir: string, url: string): Promise<void> {
  const source = await open(dataDir)
  const target = await openStore({ path: url, clock })
  try {
    const [from, to] = [dump(source.store), dump(target)]
    expect([...to.keys()]).toEqual([...from.keys()])
    for (const [table, rows] of from) expect([table, to.get(table)]).toEqual([table, rows])
    expect(findBrokenInvariants(target)).toEqual([])
    const words = target.connection
      .prepare(`SELECT count(*) AS n FROM issue_texts WHERE words @@ 'click:B'::tsquery`)
      .get()
    expect(words?.['n']).toBe(from.get('issues')?.length)
    // The copy accepts new events.
    await commit(target, 100, 'later')
    expect(findBrokenInvariants(target)).toEqual([])
  } finally {
    await target.close()
    await source.close()
  }
}

const copy = (dataDir: string, url: string) =>
  runCulvert(['copy'], { CULVERT_DATA_DIR: dataDir, DATABASE_URL: url })

/** Runs the command until it has copied some of many rows, and then `interrupt`. */
async function copyPart(dataDir: string, url: string, interrupt: (pid: number, watching: Client) => unknown) {
  const watching = new Client({ connectionString: url })
  watching.on('error', () => undefined)
  await watching.connect()
  const child = spawn(process.execPath, [await bundledProgram(), 'copy'], {
    env: { ...process.env, CULVERT_DATA_DIR: dataDir, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = once(child, 'close')
  const sql = `SELECT coalesce(sum(row_count), 0)::int AS n FROM copy_progress WHERE table_name = 'issue_tags'`
  const count = async () => Number((await watching.query<{ n: number }>(sql)).rows[0]?.n)
  await expect.poll(() => count().catch(() => 0), { interval: 2, timeout: 60_000 }).toBeGreaterThan(0)
  await interrupt(child.pid ?? 0, watching)
  await watching.end()
  const [code] = (await ended) as [number | null]
  return { code, stderr }
}

describe.skipIf(findPostgresPrograms() === undefined)('culvert copy', { timeout: 120_000 }, () => {
  let cluster: PostgresCluster
  let count = 0
  const createDatabase = () => cluster.createDatabase(`copy_${(count += 1)}`)

  beforeAll(async () => {
    cluster = await startPostgresCluster()
  })
  afterAll(() => cluster.stop())

  it('copies every table, its totals and its texts', async () => {
    const [dataDir, url] = [await makeInstallation(), await createDatabase()]
    const first = await copy(dataDir, url)
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('Copying: ') as string })
    expect(first.stdout).toMatch(/rows of \d+ tables are in .*counts and sums are equal/)
    await expectSame(dataDir, url)
    expect(await copy(dataDir, url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('in use already') as string,
    })
  })

  it('continues after kill -9, and until then no server opens the database', async () => {
    const [dataDir, url] = [await makeInstallation(), await createDatabase()]
    addTags(dataDir, manyRows)
    await copyPart(dataDir, url, (pid) => process.kill(pid, 'SIGKILL'))
    await expect(openStore({ path: url, clock })).rejects.toThrow(/unfinished copy.*culvert copy/)
    const second = await copy(dataDir, url)
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('Continuing') as string })
    await expectSame(dataDir, url)
  })

  it('explains what to do when the connection is lost', async () => {
    const [dataDir, url] = [await makeInstallation(), await createDatabase()]
    addTags(dataDir, manyRows)
    const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`
    const { code, stderr } = await copyPart(dataDir, url, (_pid, watching) => watching.query(sql))
    expect(code).toBe(1)
    expect(stderr).toContain('Repeat the command: it continues')
    expect((await copy(dataDir, url)).code).toBe(0)
  })

  it('finds a lost row, and restarts when the data directory has changed since', async () => {
    const [dataDir, url] = [await makeInstallation(), await createDatabase()]
    addTags(dataDir, manyRows)
    await copyPart(dataDir, url, (pid) => process.kill(pid, 'SIGKILL'))
    const other = await makeInstallation()
    expect((await copy(other, url)).stderr).toContain(`unfinished copy of ${dataDir}`)
    await queryPostgres(url, 'DELETE FROM issue_tags WHERE ctid IN (SELECT ctid FROM issue_tags LIMIT 1)')
    const differing = await copy(dataDir, url)
    expect(differing.code).toBe(1)
    expect(differing.stderr).toMatch(
      /differs from the data directory: issue_tags has \d+ rows instead of \d+; /,
    )
    await expect(openStore({ path: url, clock })).rejects.toThrow(/unfinished copy/)
    const opened = await open(dataDir)
    await commit(opened.store, 100, 'between')
    await opened.close()
    expect(await copy(dataDir, url)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('has changed since') as string,
    })
    await expectSame(dataDir, url)
  })

  it('rejects a directory in use, a schema of another version, and an unusable database', async () => {
    const [dataDir, url] = [await makeInstallation(), await createDatabase()]
    const inUse = await open(dataDir)
    expect((await copy(dataDir, url)).stderr).toContain('Stop it first, then copy')
    await inUse.close()
    expect((await copy(join(dataDir, 'missing'), url)).stderr).toContain('No Culvert installation')
    expect(await runCulvert(['copy'], { CULVERT_DATA_DIR: dataDir })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Set DATABASE_URL') as string,
    })
    expect((await copy(dataDir, cluster.urlOf('missing'))).stderr).toContain('Create the database')
    const foreign = await createDatabase()
    await queryPostgres(foreign, 'CREATE TABLE orders (id bigint)')
    expect((await copy(dataDir, foreign)).stderr).toContain('tables of another program: orders')
    const database = new DatabaseSync(join(dataDir, 'culvert.db'))
    database.exec('UPDATE schema_migrations SET version = version + 1000')
    expect((await copy(dataDir, url)).stderr).toContain('was written by a newer Culvert')
    database.exec('DELETE FROM schema_migrations')
    database.close()
    expect((await copy(dataDir, url)).stderr).toContain('culvert migrate')
    expect(await queryPostgres(url, "SELECT to_regclass('projects') AS name")).toEqual([{ name: null }])
  })
})
