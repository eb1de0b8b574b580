import { Client } from 'pg'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiCaller } from '#test/api-call.ts'
import { addToken, sendError } from '#test/api-server.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { hasPgBouncer, poolSize, startPgBouncer, type PgBouncer } from '#test/pgbouncer.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { runCommand } from '#test/run-command.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject, type TestServer } from '#test/start-server.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { startConsole } from '#test/test-console.ts'
import { doctor } from '../../bin/commands/doctor/doctor.ts'

const isMissing = findPostgresPrograms() === undefined || !hasPgBouncer()

describe.skipIf(isMissing)('through PgBouncer in transaction mode', () => {
  let cluster: PostgresCluster
  let pooler: PgBouncer
  let server: TestServer

  beforeAll(async () => {
    cluster = await startPostgresCluster()
    pooler = await startPgBouncer(cluster)
    await cluster.createDatabase('pooled')
    server = await startConsole({ variables: { DATABASE_URL: pooler.urlOf('pooled') } })
  }, 120_000)
  afterAll(async () => {
    await server.stop()
    await pooler.stop()
    await cluster.stop()
  })

  it('accepts the events of many clients at once, and stores each once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const { status } = await postEnvelope(server.origin, errorEnvelope({ type: `Error${at % 7}` }))
        return status
      }),
    )
    expect(new Set(answers)).toEqual(new Set([200]))
    const { connection } = server.services.store
    const count = connection.prepare('SELECT count(*) AS n FROM events WHERE project_id = ?')
    expect(count.get(fixtureProject.id)?.['n']).toBe(200)
    expect(findBrokenInvariants(server.services.store)).toEqual([])
  })

  it('signs users in, and shows the console', async () => {
    await addUser(server.services.store)
    const cookie = await cookieOf(server.origin)
    const pages = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await fetch(`${server.origin}/issues`, { headers: { cookie } })
        return `${answer.status} ${(await answer.text()).includes('Error3')}`
      }),
    )
    expect(new Set(pages)).toEqual(new Set(['200 true']))
  })

  it('merges and resolves issues', async () => {
    await sendError(server, { type: 'First' })
    await sendError(server, { type: 'Second' })
    const call = createApiCaller(server.origin, await addToken(server))
    const { json } = await call(`/projects/default/${fixtureProject.name}/issues/?query=is:unresolved`)
    const ids = v.parse(v.array(v.object({ id: v.string() })), json).map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(2)
    const [first = '', second = ''] = ids
    const path = `/projects/default/${fixtureProject.name}/issues/?id=${first}&id=${second}`
    const merged = await call(path, { method: 'PUT', body: JSON.stringify({ merge: 1 }) })
    expect([merged.status, merged.json]).toMatchObject([
      200,
      { merge: { parent: expect.any(String) as string } },
    ])
    const resolved = await call(`/issues/${ids[2]}/`, {
      method: 'PUT',
      body: JSON.stringify({ status: 'resolved' }),
    })
    expect(resolved.json).toMatchObject({ status: 'resolved' })
    expect(findBrokenInvariants(server.services.store)).toEqual([])
  })

  it('without a free connection for longer than a probe waits: answers 429 and 503 immediately, then recovers', async () => {
    const send = async (eventId: string) => {
      const { status, headers } = await postEnvelope(server.origin, errorEnvelope({ eventId }))
      return { status, retryAfter: headers.get('retry-after') }
    }
    const statusOf = async (path: string) => (await fetch(server.origin + path)).status
    const holders = await Promise.all(
      Array.from({ length: poolSize }, async () => {
        const holder = new Client({ connectionString: pooler.urlOf('pooled') })
        await holder.connect()
        await holder.query('BEGIN')
        return holder
      }),
    )
    const eventId = randomEventId()
    const rejected = await send(eventId)
    expect(rejected).toMatchObject({ status: 429, retryAfter: expect.stringMatching(/^\d+$/) as string })
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503])
    await expect(
      server.services.store.db.selectFrom('projects').select('id').execute(),
    ).rejects.toMatchObject({
      reason: 'UNREACHABLE',
      cause: {
        message: expect.stringContaining('the pooler in front of it has no free connection') as string,
      },
    })
    await Promise.all(holders.map((holder) => holder.end()))
    await expect.poll(async () => (await send(eventId)).status, { timeout: 30_000 }).toBe(200)
    await expect.poll(() => statusOf('/readyz'), { timeout: 30_000 }).toBe(200)
    const { connection } = server.services.store
    const count = connection.prepare('SELECT count(*) AS n FROM events WHERE event_id = ?')
    expect(count.get(Buffer.from(eventId, 'hex'))?.['n']).toBe(1)
    expect(findBrokenInvariants(server.services.store)).toEqual([])
  })

  it('is recognized by the doctor, even if the URL lacks pgbouncer=true', async () => {
    const url = pooler.urlOf('pooled')
    expect(await examinePoolMode(url)).toMatch(/^ok .*a transaction pooler, statements without names$/)
    expect(await examinePoolMode(url.replace('&pgbouncer=true', ''))).toMatch(/^problem .*without prepared/)
    expect(await examinePoolMode(cluster.urlOf('pooled'))).toMatch(
      /^ok .*each connection has its own session$/,
    )
  })
})

/** The line of the doctor about the pool mode. */
async function examinePoolMode(url: string): Promise<string | undefined> {
  const { stdout } = await runCommand(doctor, [], { DATABASE_URL: url })
  return stdout.split('\n').find((line) => line.includes('Pool mode'))
}
