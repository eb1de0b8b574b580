import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { startFakeUpstream, takeAll, type FakeUpstream } from '#test/fake-upstream.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'

const programs = findPostgresPrograms() ?? ''
const hindrance = programs === '' ? ' (skipped: no PostgreSQL is installed)' : ''
const run = promisify(execFile)
const project = { id: 7, name: 'Shop', publicKey: randomEventId() }

let cluster: PostgresCluster
let hook: FakeUpstream

beforeAll(async () => {
  if (programs !== '') cluster = await startPostgresCluster()
  hook = await startFakeUpstream(takeAll)
})

afterAll(async () => {
  if (programs !== '') await cluster.stop()
  await hook.close()
})

/** The messages to the receiver: the titles of issues. */
const received = () => hook.requests.map(({ body }) => /"title":"([^"]*)/.exec(body.toString())?.[1])

async function openDatabase(url: string): Promise<Store> {
  const store = await openStore({ path: url })
  onTestFinished(() => store.close())
  return store
}

/** Starts a server, and calls back while it runs. */
async function whileRunning(url: string, work: (server: ServerProcess) => Promise<unknown>) {
  const dataDir = await makeTestFolder()
  const variables = { DATABASE_URL: url, CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1' }
  const server = await startServerProcess({ dataDir, variables })
  await work(server)
  expect(await server.end('SIGTERM')).toBe(0)
  return server.log.map(({ msg }) => String(msg))
}

/** Sends an event of a new issue, and waits for its alert. */
async function report({ origin }: ServerProcess, type: string): Promise<void> {
  const { status } = await postEnvelope(origin, errorEnvelope({ eventId: randomEventId(), type }), {
    project,
  })
  expect(status).toBe(200)
  await expect.poll(() => received().some((title) => title?.startsWith(type))).toBe(true)
}

async function listStatuses(url: string): Promise<string[]> {
  const { db } = await openDatabase(url)
  const rows = await db.selectFrom('alert_deliveries').select(['id', 'status']).orderBy('id').execute()
  return rows.map(({ id, status }) => (id.startsWith('pending') ? `${id} ${status}` : status))
}

it.skipIf(hindrance !== '')(
  `alerts that were pending in a dump are not sent after pg_restore${hindrance}`,
  async () => {
    const url = await cluster.createDatabase('dumped')
    const store = await openDatabase(url)
    await createProject(store, project)
    await store.writer.deleteFrom('alert_rules').execute()
    const added = await addDestination({ store, secret: undefined }, 1, {
      name: 'Hook',
      channel: 'webhook',
      values: { url: `http://${hook.address}/hook` },
    })
    const id = added.ok ? added.destinationId : ''
    await recordAlertRule(store, {
      organizationId: 1,
      rule: makeAlertRule({ actions: [{ kind: 'destination', id }] }),
    })
    await whileRunning(url, (server) => report(server, 'FirstError'))
    // A message of later, and a transition that no rule has decided about.
    const sent = await store.db.selectFrom('alert_deliveries').selectAll().executeTakeFirstOrThrow()
    const later = { due_at: Date.now() + hourMs, expires_at: Date.now() + 2 * hourMs }
    const pending = { ...sent, ...later, status: 'waiting', finished_at: null, leased_until: null }
    await store.writer
      .insertInto('alert_deliveries')
      .values({ ...pending, id: 'pending' })
      .execute()
    // Long ago, so that the next message is not grouped with them.
    await store.writer
      .updateTable('alert_deliveries')
      .set({ created_at: Date.now() - dayMs })
      .execute()
    // It is kept by a restart, and by a dump.
    const log = await whileRunning(url, () => Promise.resolve())
    expect(log.join()).not.toContain('restored')
    expect(await listStatuses(url)).toEqual(['sent', 'pending waiting'])
    const transition = { project_id: 7, id: 'pending', kind: 'new', at: Date.now(), detail: '{"paths":[]}' }
    const { id: issueId } = await store.db.selectFrom('issues').select('id').executeTakeFirstOrThrow()
    await store.writer
      .insertInto('alert_transitions')
      .values({ ...transition, issue_id: issueId })
      .execute()
    const dump = join(await makeTestFolder(), 'culvert.dump')
    await run(join(programs, 'pg_dump'), ['--format=custom', `--file=${dump}`, url])
    await store.writer
      .updateTable('alert_deliveries')
      .set({ due_at: 0, status: 'waiting' })
      .where('id', '=', 'pending')
      .execute()
    hook.requests.length = 0
    await store.close()
    for (const target of [url, await cluster.createDatabase('another')]) {
      const options = ['--clean', '--if-exists', '--no-owner', `--dbname=${target}`, dump]
      await run(join(programs, 'pg_restore'), options)
      const logged = await whileRunning(target, (server) => report(server, `After${target.length}`))
      expect(logged.join()).toContain('alerts that were pending in the backup are cancelled')
      expect(await listStatuses(target)).toEqual(['sent', 'sent', 'pending cancelled'])
      // Only once: what has waited since then is kept.
      expect((await whileRunning(target, () => Promise.resolve())).join()).not.toContain('restored')
    }
    expect(received().filter((title) => !title?.startsWith('After'))).toEqual([])
  },
  120_000,
)
