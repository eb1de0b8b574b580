import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions } from '#server/console/forms/actions.search.ts'
import { openStore } from '#server/store/store.ts'
import { createApiCaller, type CallApi } from '#test/api-call.ts'
import { addToken, sendError } from '#test/api-server.ts'
import { createHttpBrowser } from '#test/http-browser.ts'
import {
  findPostgresPrograms,
  startPostgresCluster,
  startStandby,
  type PostgresCluster,
  type PostgresStandby,
} from '#test/postgres-cluster.ts'
import { addUser } from '#test/session.ts'
import { fixtureProject, type TestServer } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''
const password = 'a password for tests'

describe.skipIf(hindrance !== '')(`with a replica for reads${hindrance}`, () => {
  let cluster: PostgresCluster
  let standby: PostgresStandby
  let server: TestServer
  let call: CallApi

  beforeAll(async () => {
    cluster = await startPostgresCluster()
    const url = await cluster.createDatabase('main')
    standby = await startStandby(cluster)
    server = await startConsole({
      variables: {
        DATABASE_URL: url,
        CULVERT_READ_DATABASE_URL: standby.urlOf('main'),
        CULVERT_METRICS_TOKEN: 'a-token-for-tests',
      },
    })
    await addUser(server.services.store)
    call = createApiCaller(server.origin, await addToken(server))
  }, 120_000)
  afterAll(async () => {
    await server.stop()
    await standby.stop()
    await cluster.stop()
  })

  async function signIn(email = 'ada@example.com') {
    const browser = createHttpBrowser(server.origin)
    await browser.post('/login', { email, password })
    expect(browser.isSignedIn()).toBe(true)
    return browser
  }

  /** Runs a statement on the standby itself. */
  async function onStandby(sql: string): Promise<Record<string, unknown> | undefined> {
    const client = new Client({ connectionString: standby.urlOf('main') })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows[0]
    } finally {
      await client.end()
    }
  }

  /** Waits until the standby has replayed everything that was committed. */
  async function caughtUp(): Promise<void> {
    const { replica } = server.services.store
    const position = await replica?.readPosition()
    await expect.poll(() => replica?.hasReplayed(position ?? 0), { timeout: 20_000 }).toBe(true)
  }

  /** Runs `work` while replay on the standby is paused. */
  async function whilePaused(work: () => Promise<void>): Promise<void> {
    await server.services.reads.noteWrite()
    await sendError(server, { type: 'BeforeThePause' })
    await caughtUp()
    await onStandby('SELECT pg_wal_replay_pause()')
    await expect
      .poll(async () => (await onStandby('SELECT pg_get_wal_replay_pause_state() AS state'))?.['state'])
      .toBe('paused')
    try {
      await work()
    } finally {
      await onStandby('SELECT pg_wal_replay_resume()')
    }
  }

  const readMetrics = async () =>
    (
      await fetch(`${server.origin}/metrics`, { headers: { authorization: 'Bearer a-token-for-tests' } })
    ).text()

  it('answers pages from it, and those of a user who has just written from the primary', async () => {
    await sendError(server, { type: 'EarlierError' })
    const [writer, reader] = [await signIn(), await signIn()]
    await caughtUp()
    await whilePaused(async () => {
      await sendError(server, { type: 'LaterError' })
      expect((await reader.open('/issues')).text).toContain('EarlierError')
      expect((await reader.open('/issues')).text).not.toContain('LaterError')
      const id = server.services.store.connection
        .prepare("SELECT id FROM issues WHERE title = 'EarlierError'")
        .get()?.['id']
      await writer.post(actions.issueComment.url, { issueId: String(id), text: 'A comment of mine' })
      expect(writer.cookies.get('culvert_written')).toMatch(/^[0-9]+$/)
      expect((await writer.open(`/issues/${String(id)}`)).text).toContain('A comment of mine')
      expect((await writer.open('/issues')).text).toContain('LaterError')
    })
    await caughtUp()
    expect((await reader.open('/issues')).text).toContain('LaterError')
  })

  it('accepts a cookie of another process, and no forged one', async () => {
    await addUser(server.services.store, { name: 'Grace', email: 'grace@example.com', password })
    const browser = await signIn('grace@example.com')
    await caughtUp()
    await whilePaused(async () => {
      await sendError(server, { type: 'ErrorForGrace' })
      const position = await server.services.store.replica?.readPosition()
      const cases = [
        [String(position), true],
        ['0', false],
        ['-1 OR 1=1', false],
        ['9999999999999999', true],
      ] as const
      for (const [cookie, isSeen] of cases) {
        browser.cookies.set('culvert_written', cookie)
        expect((await browser.open('/issues')).text.includes('ErrorForGrace')).toBe(isSeen)
      }
    })
  })

  it('shows a client of the API its own changes', async () => {
    await sendError(server, { type: 'ErrorOfTheApi' })
    await caughtUp()
    const list = `/projects/default/${fixtureProject.name}/issues/?query=ErrorOfTheApi`
    const [issue] = (await call(list)).json as { id: string }[]
    await whilePaused(async () => {
      const path = `/issues/${issue?.id}/`
      expect((await call(path)).json).toMatchObject({ status: 'unresolved' })
      await call(path, { method: 'PUT', body: { status: 'resolved' } })
      expect((await call(path)).json).toMatchObject({ status: 'resolved' })
    })
  })

  it('reports its state on the system page and in metrics, and works without it', async () => {
    await caughtUp()
    const browser = await signIn()
    await caughtUp()
    const page = (await browser.open('/settings/system')).text
    expect(page).toContain('Read replica')
    expect(page).toContain('in use')
    expect(await readMetrics()).toContain('culvert_replica_used 1')

    await standby.kill()
    await sendError(server, { type: 'ErrorWithoutReplica' })
    // Of a user who has not just written: these statements are for the replica.
    browser.cookies.delete('culvert_written')
    expect((await browser.open('/issues')).text).toContain('ErrorWithoutReplica')
    const without = (await browser.open('/settings/system')).text
    expect(without).toContain('not in use')
    expect(without).toMatch(/Reads use the primary, because it does not respond: .*\./)
    const metrics = await readMetrics()
    expect(metrics).toContain('culvert_replica_used 0')
    expect(metrics).toMatch(/^culvert_replica_fallbacks_total [1-9]/m)

    await standby.start()
    await caughtUp()
    expect((await browser.open('/settings/system')).text).toContain('in use')
    expect(await readMetrics()).toContain('culvert_replica_used 1')
  })

  it('does not read from a database that is not a standby of the primary', async () => {
    const other = await cluster.createDatabase('other')
    const cases = [
      [cluster.urlOf('main'), /not a standby/],
      [standby.urlOf('other'), /another server, or another database/],
      ['postgres://nobody@localhost:1/main', /does not respond: .*ECONNREFUSED/],
    ] as const
    expect(other).toBe(cluster.urlOf('other'))
    // The standby has the database a moment later.
    await expect
      .poll(() => onStandby("SELECT datname FROM pg_database WHERE datname = 'other'"))
      .toEqual({ datname: 'other' })
    for (const [readUrl, problem] of cases) {
      const store = await openStore({ path: cluster.urlOf('main'), readUrl })
      const rows = await store.replica?.db.selectFrom('projects').select('id').execute()
      expect(rows?.length).toBeGreaterThan(0)
      expect(store.replica?.state).toMatchObject({
        isUsed: false,
        problem: expect.stringMatching(problem) as string,
      })
      await store.close()
    }
  })
})
