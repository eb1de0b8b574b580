import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { findUnrouted } from '#test/routed-statements.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject, otherProject, type TestServer } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''
const distributed = new Set(['issues', 'events'])

describe('a statement on distributed tables', () => {
  it.each([
    'SELECT id FROM issues WHERE project_id = $1 AND id = $2',
    'SELECT id FROM issues AS i WHERE i.project_id IN ($1, $2)',
    'SELECT id FROM issues WHERE project_id = ANY ($1::bigint[])',
    'SELECT 1 FROM issues WHERE (project_id, id) IN (VALUES ($1, $2), ($3, $4))',
    'SELECT 1 FROM issues i JOIN events e ON e.project_id = i.project_id AND e.issue_id = i.id WHERE e.project_id = $1',
    'SELECT 1 FROM unnest($1::bigint[]) AS given (p1) CROSS JOIN LATERAL (SELECT 1 FROM issues WHERE project_id = given.p1) AS f',
    'WITH picked AS (SELECT id, project_id FROM issues WHERE project_id = $1) SELECT 1 FROM picked p JOIN events e ON e.project_id = p.project_id',
    'SELECT (SELECT count(*) FROM events e WHERE e.project_id = i.project_id) FROM issues i WHERE i.project_id = $1',
    'UPDATE issues SET title = given.p2 FROM unnest($1::bigint[], $2::text[]) AS given (p1, p2) WHERE project_id = given.p1',
    'DELETE FROM events WHERE project_id = $1 AND event_id = $2',
    'INSERT INTO events (project_id, event_id) VALUES ($1, $2)',
    'SELECT id FROM projects WHERE slug = $1',
  ])('is routed: %s', async (sql) => {
    expect(await findUnrouted(sql, distributed)).toEqual([])
  })

  it.each([
    ['SELECT project_id FROM issues WHERE id = $1', ['issues']],
    ['SELECT 1 FROM issues WHERE project_id = $1 OR id = $2', ['issues']],
    ['SELECT 1 FROM issues WHERE project_id > $1', ['issues']],
    ['SELECT 1 FROM issues WHERE project_id NOT IN ($1)', ['issues']],
    ['SELECT 1 FROM issues i JOIN projects p ON p.id = i.project_id WHERE p.slug = $1', ['issues']],
    ['SELECT 1 FROM issues WHERE project_id IN (SELECT id FROM projects)', ['issues']],
    ['SELECT 1 FROM issues i JOIN events e ON e.issue_id = i.id WHERE i.project_id = $1', ['events']],
    ['SELECT 1 FROM events WHERE EXISTS (SELECT 1 FROM issues WHERE project_id = $1)', ['events']],
    ['SELECT 1 FROM issues WHERE project_id = $1 UNION ALL SELECT 1 FROM events', ['events']],
    ['WITH all_of AS (SELECT * FROM issues) SELECT 1 FROM all_of WHERE project_id = $1', ['issues']],
    ['INSERT INTO events (event_id) VALUES ($1)', ['events']],
    ['UPDATE issues SET title = $1 WHERE id = $2', ['issues']],
  ])('queries every node: %s', async (sql, tables) => {
    expect(await findUnrouted(sql, distributed)).toEqual(tables)
  })
})

/** Statements that may query every node, with the reason. Each must still be in use. */
const allowed: readonly (readonly [start: RegExp, reason: string])[] = [
  [
    /^SELECT (?:given\.set_row.*)?project_id FROM issues WHERE id = /s,
    'the id of an issue is unique over all projects: asked once for each new issue',
  ],
  [
    /from issue_texts where words @@ /,
    'one index of words for all projects; what it finds is limited to some',
  ],
  [/^with "letters" as materialized /, 'dead letters of all projects, of which there are few'],
  [/^\s*WITH bytes AS MATERIALIZED /, 'what each project takes: counters and some thousand small rows'],
  [/FROM project_bytes\)\s.* FROM attachment_totals\)/s, 'the bytes in use: the same, added up'],
  [
    /^select "project_id", count\(\*\) as "count", max\("uploaded_at"\)/,
    'which projects have source maps: at most once a second, where an event finds none',
  ],
  [
    /^SELECT .* FROM counter_deltas WHERE id < .* FROM figure_deltas WHERE id < /,
    'whether any delta is late: every five seconds, of small tables',
  ],
]

describe.skipIf(hindrance !== '')(
  `the statements of Culvert, as PostgreSQL recorded them${hindrance}`,
  () => {
    let cluster: PostgresCluster
    let server: TestServer
    let client: Client
    let cookie: string
    let tables: Set<string>
    const used = new Set<RegExp>()

    beforeAll(async () => {
      cluster = await startPostgresCluster({
        settings: {
          shared_preload_libraries: 'pg_stat_statements',
          'pg_stat_statements.track_utility': 'off',
        },
      })
      const url = await cluster.createDatabase('recorded')
      client = new Client({ connectionString: url })
      await client.connect()
      server = await startConsole({ variables: { DATABASE_URL: url } })
      await client.query('CREATE EXTENSION pg_stat_statements')
      await addUser(server.services.store)
      cookie = await cookieOf(server.origin)
      tables = await readDistributed()
    }, 120_000)
    afterAll(async () => {
      await server.stop()
      await client.end()
      await cluster.stop()
    })

    /** The tables that `distribute.sql` distributes: those with a project, except its reference tables. */
    async function readDistributed(): Promise<Set<string>> {
      const script = readFileSync('src/server/store/engine/postgres/citus/distribute.sql', 'utf8')
      const [, list = ''] = /reference_tables constant text\[\] := ARRAY\[([^\]]*)\]/.exec(script) ?? []
      const { rows } = await client.query<{ name: string }>(
        "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'project_id'",
      )
      return new Set(rows.map(({ name }) => name).filter((name) => !list.includes(`'${name}'`)))
    }

    /** The statements recorded during `work` that are not routed, except the allowed ones. */
    async function recordUnrouted(work: () => Promise<void>): Promise<string[]> {
      // Those of timers, which may run between two works only.
      await takeUnrouted()
      await work()
      const { unrouted, count } = await takeUnrouted()
      expect(count).toBeGreaterThan(0)
      return unrouted
    }

    /** The same of the statements since the last call, with their number. */
    async function takeUnrouted(): Promise<{ unrouted: string[]; count: number }> {
      const { rows } = await client.query<{ query: string }>(
        `SELECT query FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND query !~ 'pg_stat_statements|pg_catalog|pg_prepared_statements'`,
      )
      await client.query('SELECT pg_stat_statements_reset()')
      const unrouted: string[] = []
      for (const { query: recorded } of rows) {
        // Recorded under the text with which it was first prepared.
        const query = recorded.replace(/^PREPARE \w+ AS /, '')
        const found = await findUnrouted(query, tables)
        const exception = allowed.find(([start]) => start.test(query))
        if (exception !== undefined && found.length > 0) used.add(exception[0])
        else if (found.length > 0) unrouted.push(`${found.join(', ')}: ${query.replaceAll(/\s+/g, ' ')}`)
      }
      return { unrouted, count: rows.length }
    }

    async function send(
      body: string,
      project: { id: number; publicKey: string } = fixtureProject,
    ): Promise<void> {
      expect((await postEnvelope(server.origin, body, { project })).status).toBe(200)
    }

    async function open(path: string): Promise<string> {
      const answer = await fetch(server.origin + path, { headers: { accept: 'text/html', cookie } })
      expect(`${path} ${answer.status}`).toBe(`${path} 200`)
      return answer.text()
    }

    it('are on tables whose rows are unique within their project', async () => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       WHERE i.indisunique AND c.relname = ANY ($1) AND NOT EXISTS (
         SELECT 1 FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey) AND a.attname = 'project_id')`,
        [[...tables]],
      )
      // All others belong to the reference tables of distribute.sql.
      expect(rows).toEqual([])
    })

    it('of ingest name the project', async () => {
      const unrouted = await recordUnrouted(async () => {
        for (let round = 0; round < 3; round += 1) {
          const bodies = Array.from({ length: 20 }, (_, at) =>
            errorEnvelope({ type: `Error${at % 5}`, eventId: randomEventId() }),
          )
          await Promise.all(
            bodies.map((body, at) => send(body, at % 2 === 0 ? fixtureProject : otherProject)),
          )
        }
        await send(
          `{}\n{"type":"session"}\n${JSON.stringify({
            sid: '7c7b6585-f901-4351-bf8d-02711b721929',
            init: true,
            status: 'ok',
            started: new Date().toISOString(),
            attrs: { release: 'web@1.0.0', environment: 'production' },
          })}`,
        )
        await server.services.committer.drain()
      })
      expect(unrouted).toEqual([])
    })

    it.each([
      ['the stream', () => '/issues'],
      ['the stream under filters', () => '/issues?status=all&environment=production&sort=users&q=Error1'],
      ['an issue', findIssuePath],
      ['the events of an issue', async () => `${await findIssuePath()}/events`],
      ['the tags of an issue', async () => `${await findIssuePath()}/tags`],
      ['an event', async () => /\/events\/[0-9a-f]{32}/.exec(await open(await findIssuePath()))?.[0] ?? ''],
      ['the releases', () => '/releases'],
      ['the projects', () => '/projects'],
      ['the outcomes', () => '/outcomes'],
      ['a digest without a match', () => `/digest/${'f'.repeat(32)}`],
      ['the system', () => '/settings/system'],
    ])('of %s name the projects', async (_name, findPath) => {
      const path = await findPath()
      expect(await recordUnrouted(async () => void (await open(path)))).toEqual([])
    })

    it('of the check for late deltas are recorded', async () => {
      expect(await recordUnrouted(waitForCheck)).toEqual([])
    })

    async function waitForCheck(): Promise<void> {
      const checks = "SELECT 1 FROM pg_stat_statements WHERE query ~ 'FROM figure_deltas WHERE id <'"
      await expect.poll(() => client.query(checks), { timeout: 30_000 }).toMatchObject({ rowCount: 1 })
    }

    async function findIssuePath(): Promise<string> {
      return /\/issues\/\d+/.exec(await open('/issues'))?.[0] ?? ''
    }

    it('need every exception', () => {
      expect(allowed.map(([start]) => start).filter((start) => !used.has(start))).toEqual([])
    })
  },
)
