import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { listUpstreamStatuses } from '#server/store/upstreams/status.ts'
import { createUpstream } from '#server/store/upstreams/upstreams.ts'
import { hasCitus, startCitusCluster, type CitusCluster } from '#test/citus-cluster.ts'
import { envelopeOf, errorEnvelope } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { addUser, cookieOf } from '#test/session.ts'
import type { TestServer } from '#test/start-server.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { startConsole } from '#test/test-console.ts'

const hindrance = hasCitus() ? '' : ' (skipped: Citus is not installed)'
const projects = Array.from({ length: 12 }, (_, at) => ({
  id: 100 + at,
  name: `shop-${at}`,
  publicKey: String(at).padStart(32, 'e'),
}))

const metricsToken = 'a-token-for-tests'
const traceId = (at: number) => String(at).padStart(32, 'a')

/** A page load with a slow span. */
function traceEnvelope(at: number): string {
  const now = Date.now() / 1000
  const trace = { trace_id: traceId(at), span_id: 'f'.repeat(16), op: 'pageload' }
  const span = { trace_id: trace.trace_id, parent_span_id: trace.span_id, op: 'http.client' }
  return envelopeOf({}, [
    'transaction',
    {
      type: 'transaction',
      transaction: '/cart',
      platform: 'javascript',
      release: 'web@1.0.0',
      start_timestamp: now - 2,
      timestamp: now,
      contexts: { trace },
      spans: [{ ...span, span_id: '1'.repeat(16), start_timestamp: now - 2, timestamp: now - 1 }],
    },
  ])
}

function sessionEnvelope(): string {
  const attrs = { release: 'web@1.0.0', environment: 'production' }
  const started = new Date().toISOString()
  return envelopeOf({}, ['session', { sid: randomUUID(), init: true, status: 'ok', started, attrs }])
}

describe.skipIf(hindrance !== '')(`on Citus, a coordinator and two workers${hindrance}`, () => {
  let cluster: CitusCluster
  let url: string
  let client: Client
  let server: TestServer
  let cookie: string

  beforeAll(async () => {
    cluster = await startCitusCluster()
    url = await cluster.createDatabase()
    client = new Client({ connectionString: url })
    await client.connect()
    server = await startConsole({ variables: { DATABASE_URL: url, CULVERT_METRICS_TOKEN: metricsToken } })
    for (const project of projects) await createProject(server.services.store, project)
    await server.services.projectKeys.refresh()
    await addUser(server.services.store)
    cookie = await cookieOf(server.origin)
  }, 240_000)
  afterAll(async () => {
    await server.stop()
    await client.end()
    await cluster.stop()
  })

  async function send(at: number, body: string): Promise<number> {
    const answer = await postEnvelope(server.origin, body, { project: projects[at % projects.length] })
    return answer.status
  }

  async function open(path: string): Promise<string> {
    const answer = await fetch(server.origin + path, { headers: { accept: 'text/html', cookie } })
    expect(`${path} ${answer.status}`).toBe(`${path} 200`)
    return answer.text()
  }

  const count = async (sql: string) => Number((await client.query<{ n: string }>(sql)).rows[0]?.n)

  it('accepts events of all projects at once, which are stored on both workers and counted', async () => {
    const bodies = Array.from({ length: 240 }, (_, at) => errorEnvelope({ type: `Error${at % 5}` }))
    const statuses = await Promise.all(bodies.map((body, at) => send(at, body)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await server.services.committer.drain()
    expect(await count('SELECT count(*) AS n FROM events')).toBe(240)
    expect(await count('SELECT sum(event_count) AS n FROM issues')).toBe(240)
    const { rows } = await client.query<{ n: string }>(
      `SELECT sum(n) AS n FROM (
         SELECT nodename, nodeport, (SELECT sum(result::bigint)
           FROM run_command_on_shards('events', 'SELECT count(*) FROM %s') r
           WHERE r.shardid = p.shardid) AS n
         FROM pg_dist_shard s JOIN pg_dist_shard_placement p USING (shardid)
         WHERE s.logicalrelid = 'events'::regclass) AS placed
       GROUP BY nodename, nodeport ORDER BY 1`,
    )
    const onWorkers = rows.map(({ n }) => Number(n))
    expect(onWorkers).toHaveLength(2)
    expect(onWorkers.every((n) => n > 0)).toBe(true)
    expect(onWorkers.reduce((sum, n) => sum + n, 0)).toBe(240)
    expect(findBrokenInvariants(server.services.store)).toEqual([])
  })

  it.each([
    [
      'the events of a batch',
      `SELECT given.set_row, found.* FROM unnest($2::bytea[]) WITH ORDINALITY AS given (p2, set_row)
       CROSS JOIN LATERAL (SELECT 1 FROM events WHERE project_id = $1::bigint AND event_id = given.p2) AS found`,
      [100, '{"\\\\x00","\\\\x01"}'],
    ],
    [
      'the rows of an issue',
      'SELECT issue_id, part_id FROM issue_hashes WHERE project_id = $1 AND hash = $2',
      [100, Buffer.of(1)],
    ],
    [
      'tags that are counted',
      `UPDATE issue_tags SET event_count = event_count + given.p3 FROM unnest($2::bigint[], $3::bigint[]) AS given (p2, p3)
       WHERE project_id = $1::bigint AND issue_id = given.p2`,
      [100, '{1,2}', '{1,1}'],
    ],
    [
      'new rows',
      'INSERT INTO issue_users (project_id, issue_id, user_hash) VALUES ($1::bigint, $2::bigint, 1), ($3::bigint, $4::bigint, 2)',
      [100, 1, 100, 1],
    ],
  ])('has one task for %s', async (_what, sql, values) => {
    await client.query('BEGIN')
    await client.query("SET LOCAL plan_cache_mode = 'force_custom_plan'")
    const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${sql}`, values)
    await client.query('ROLLBACK')
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Task Count: 1\n')
  })

  it('accepts traces, sessions, check-ins and attachments of several projects, and counts them', async () => {
    const statuses = await Promise.all(
      projects
        .slice(0, 4)
        .flatMap((_, at) => [
          send(at, traceEnvelope(at)),
          send(at, sessionEnvelope()),
          send(at, `${errorEnvelope()}\n{"type":"attachment","length":3}\nabc\n`),
        ]),
    )
    const checkIns = await Promise.all(
      projects.slice(0, 4).map(async ({ id, publicKey }) => {
        const answer = await fetch(`${server.origin}/api/${id}/cron/nightly/${publicKey}/`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            status: 'error',
            monitor_config: { schedule: { type: 'crontab', value: '0 4 * * *' } },
          }),
        })
        return answer.status
      }),
    )
    expect(new Set([...statuses, ...checkIns])).toEqual(new Set([200, 202]))
    await server.services.monitorClock.check()
    await server.services.committer.drain()
    expect(await count('SELECT count(*) AS n FROM monitor_check_ins')).toBe(4)
    expect(await count('SELECT count(DISTINCT project_id) AS n FROM trace_segments')).toBe(4)
    expect(await count('SELECT count(DISTINCT project_id) AS n FROM figures')).toBe(4)
    expect(await count('SELECT count(DISTINCT project_id) AS n FROM attachments')).toBe(4)
    expect(findBrokenInvariants(server.services.store)).toEqual([])
  })

  it('discards the oldest envelopes of a full queue, and shows the upstream', async () => {
    const { store } = server.services
    const [{ id: projectId } = { id: 0 }] = projects
    const dsn = parseDsn(`http://${'a'.repeat(32)}@up.example/7`)
    expect(dsn && (await createUpstream(store, { projectId, dsn }))).toMatchObject({ outcome: 'created' })
    await server.services.projectKeys.refresh()
    const { outboxBytes } = store.bounds
    store.bounds.outboxBytes = 1_000
    for (let at = 0; at < 6; at += 1) expect(await send(0, errorEnvelope())).toBe(200)
    store.bounds.outboxBytes = outboxBytes
    const [status] = await listUpstreamStatuses(store.db, [projectId])
    expect(status?.droppedCount).toBeGreaterThan(0)
    expect(status?.oldestWaitingAt).toBeGreaterThan(0)
    expect(findBrokenInvariants(store)).toEqual([])
    expect(await open('/tunnel')).toContain('up.example')
    const headers = { authorization: `Bearer ${metricsToken}` }
    expect(await (await fetch(`${server.origin}/metrics`, { headers })).text()).toContain('culvert_upstream')
  })

  it('distributes a table that a later version adds, when the script runs again', async () => {
    await client.query('CREATE TABLE added (project_id bigint NOT NULL, id bigint NOT NULL)')
    const script = 'src/server/store/engine/postgres/citus/distribute.sql'
    await client.query(await readFile(script, 'utf8'))
    const { rows } = await client.query(
      `SELECT count(DISTINCT colocation_id)::int AS groups, count(*) FILTER (WHERE table_name = 'added'::regclass)::int AS added
       FROM citus_tables WHERE citus_table_type = 'distributed'`,
    )
    expect(rows).toEqual([{ groups: 1, added: 1 }])
    await client.query('DROP TABLE added')
  })

  it.each([
    '/issues',
    '/issues?project=shop-1&environment=production&bars=14d',
    '/releases',
    '/projects',
    '/outcomes',
    '/settings/system',
    '/alerts',
    '/inbox',
    '/monitors',
    '/monitors/shop-1/nightly',
    '/performance',
    '/releases/web%401.0.0',
    `/traces/${traceId(1)}`,
    '/outcomes/dead-letters',
    '/projects/shop-1/alerts',
    '/projects/shop-1/limits',
    '/settings/import',
    '/settings/status-page',
  ])('shows %s', async (path) => {
    expect(await open(path)).toContain('<h1')
  })

  it('shows a transaction', async () => {
    const path = /\/performance\/[^"/?]+\/\d+/.exec(await open('/performance'))?.[0] ?? ''
    expect(await open(path)).toContain('/cart')
  })

  it('shows an issue, its events and its tags', async () => {
    const issue = /\/issues\/\d+/.exec(await open('/issues'))?.[0] ?? ''
    const page = await open(issue)
    for (const path of [`${issue}/events`, `${issue}/tags`]) await open(path)
    expect(await open(/\/events\/[0-9a-f]{32}/.exec(page)?.[0] ?? '')).toContain('<h1')
  })
})
