import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { Client } from 'pg'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOwnMigrations } from '#server/store/engine/migrations.ts'
import { buildConsole } from '#test/built-console.ts'
import { envelopeOf, errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { createHttpBrowser } from '#test/http-browser.ts'
import { textLike } from '#test/matchers.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import type { PostgresCluster } from '#test/postgres-cluster.ts'
import {
  listReleaseFixtures,
  readReleaseFacts,
  restoreDump,
  unpackDataDir,
  type ReleaseFacts,
} from '#test/releases/release-fixtures.ts'
import { withStoredRows } from '#test/releases/stored-rows.ts'
import { runCulvert, startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { cookieOf } from '#test/session.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { dayMs } from '#time/time-steps.ts'

/**
 * Installations that released versions filled (`npm run release-fixture`), opened by this version: the
 * schema, every row, and what users do next.
 */

const programs = findPostgresPrograms()
const engines = programs === undefined ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const)
const run = promisify(execFile)
let cluster: PostgresCluster | undefined
/** The installation under test, and its server. */
let facts: ReleaseFacts
let server: ServerProcess

beforeAll(async () => {
  await buildConsole()
  if (programs !== undefined) cluster = await startPostgresCluster()
}, 120_000)
afterAll(() => cluster?.stop())

/** An installation: its variables, and where its database is. */
interface Installation {
  variables: { CULVERT_DATA_DIR: string; DATABASE_URL?: string }
  database: string
}

async function installationOn(engine: 'sqlite' | 'postgres', tag?: string): Promise<Installation> {
  if (engine === 'sqlite' || cluster === undefined) {
    const folder = tag === undefined ? (await createTempDir()).path : await unpackDataDir(tag)
    return { variables: { CULVERT_DATA_DIR: folder }, database: join(folder, 'culvert.db') }
  }
  const name = `installation_${randomEventId()}`
  const url = tag === undefined ? await cluster.createDatabase(name) : await restoreDump(tag, cluster, name)
  return { variables: { CULVERT_DATA_DIR: (await createTempDir()).path, DATABASE_URL: url }, database: url }
}

/** Every object of the schema as its engine describes it. */
async function readSchema({ database, variables }: Installation): Promise<string> {
  if (variables.DATABASE_URL === undefined) {
    const sqlite = new DatabaseSync(database, { readOnly: true })
    const rows = sqlite.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
    sqlite.close()
    return rows.map((row) => Object.values(row).join(' ')).join('\n')
  }
  const options = ['--schema-only', '--no-owner', '--no-privileges']
  const { stdout } = await run(join(programs ?? '', 'pg_dump'), [...options, database], {
    maxBuffer: 64_000_000,
  })
  return stdout.replaceAll(/^\\(?:un)?restrict .*$/gm, '')
}

/** Every row of these tables and columns. */
const readRows = ({ database }: Installation, tables?: ReadonlyMap<string, string[]>) =>
  withStoredRows(database, async ({ columns, read }) => {
    const chosen = tables ?? columns
    const rows = new Map<string, string[]>()
    for (const [table, names] of chosen) rows.set(table, await read(table, names))
    return { columns: chosen, rows }
  })

async function execute({ database, variables }: Installation, ...statements: string[]): Promise<void> {
  const sql = statements.join(';\n')
  if (variables.DATABASE_URL === undefined) {
    const sqlite = new DatabaseSync(database)
    sqlite.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`)
    sqlite.close()
    return
  }
  const client = new Client({ connectionString: database })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** Writes a migration that this version does not have. */
const makeNewer = (installation: Installation) =>
  execute(
    installation,
    "INSERT INTO schema_migrations (version, name, applied_at) VALUES (9999, '9999_future', 0)",
  )

/** Writes a message of a month ago as the release did: its fixture has decisions, but no messages. */
const addOldMessage = (installation: Installation) => {
  const { project, issues, rule } = facts
  const at = Date.now() - 30 * dayMs
  return execute(
    installation,
    `INSERT INTO alert_deliveries (id, organization_id, destination_id, kind, first_project_id, transition_count,
       message, created_at, due_at, expires_at, attempt_count, status, finished_at)
     SELECT 'old-message', 1, id, 'issues', ${project.id}, 1, '[]', ${at}, ${at}, ${at + 1}, 1, 'sent', ${at}
     FROM alert_destinations WHERE name = 'Ops'`,
    `INSERT INTO alert_attempts VALUES ('old-message', ${at}, 200, 'accepted', 12)`,
    `INSERT INTO alert_decisions (project_id, issue_id, rule_id, transition_id, kind, at, decided_at, result,
       delivery_ids)
     SELECT ${project.id}, i.id, r.id, 'old-transition', 'regressed', ${at}, ${at}, 'sent', '["old-message"]'
     FROM issues i, alert_rules r WHERE i.project_id = ${project.id}
       AND i.number = ${issues[0]?.shortId.split('-')[1]} AND r.rule LIKE '%"${rule}"%'`,
  )
}

const Issues = v.array(v.object({ shortId: v.string(), title: v.string(), status: v.string() }))
const Issue = v.object({ groupId: v.string() })

/** The SHA-256 of each file as it was when it came to `main`, by name. */
const published = {
  sqlite: {
    '0001_schema': '0b25604deba4e5b38e96bffa34b3c6281e4f9ac0e21f1a2a23765774acd0634d',
    '0002_v0_3_0': 'd7b8134cc243f52c5e20411247fcc33e061653ffda161f27ccfac0a6effced26',
    '0003_exclusive_writes': '0f174ab061a162e3cddd31d3ef3ebf0efcb3b9428a959c1ad27a38aa97b78f55',
    '0004_transaction_ids': '79ac2f03ed000f1e6ec76c44b2642640c8a94529c6e331152d56f65ba319a1ed',
    '0005_order_of_builds': '43510820bbc1f9f8b20985211c1b1651b14e1116e691c543460e359cbc6a06bb',
  },
  postgres: {
    '0001_schema': '5fb9e15512031a2af343f7245a0ac1fe6342f3ad24f7346254251157f433a659',
    '0002_v0_3_0': '929b7d47d4f77432c9d45a0176bb57d1fd0e8828c1a51ba853a4a56e9197c563',
    '0003_exclusive_writes': '77ee0997194934e4a8df55ebfa090f94ddcf778a0d35fe693844e5fc7b222cf4',
    '0004_transaction_ids': 'b29686714b8ea44da858e21b11f00f4cda74df47e5c55a0f01dd786c79f56c42',
    '0005_order_of_builds': 'a87abab9f1f7c80de8ccee19322153d229c9094054b08dfa5ac2e176f45f6a91',
  },
}

describe('a published migration', () => {
  it.each(['sqlite', 'postgres'] as const)('is never edited, on %s', async (engine) => {
    const migrations = (await readOwnMigrations())[engine]
    const digests = migrations.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')])
    expect(Object.fromEntries(digests), 'write the change into a new migration').toEqual(published[engine])
  })
})

/** True for the rows that a migration adds on purpose, by table. */
const isAdded: Record<string, (row: string) => boolean> = {
  // Groups of spans over all transactions, from those by transaction.
  figures: (row) => /\bgroup\b/.test(row),
}

/** The body of an answer with status 200. */
async function ask(path: string, headers: Record<string, string>) {
  const answer = await fetch(server.origin + path, { headers })
  expect([path, answer.status]).toEqual([path, 200])
  return answer
}

const api = async (path: string): Promise<unknown> =>
  (await ask(`/api/0${path}`, { authorization: `Bearer ${facts.token}` })).json()
const open = async (path: string) => ask(path, { cookie: await cookieOf(server.origin, facts.member) })

/** The text of a page for a member. */
async function readPage(path: string): Promise<string> {
  const html = await (await open(path)).text()
  return html
    .replaceAll(/<(script|style)\b[^]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

const cases = listReleaseFixtures().flatMap((tag) => engines.map((engine) => ({ tag, engine })))

describe.each(cases)('an installation of $tag on $engine', ({ tag, engine }) => {
  let installation: Installation

  beforeAll(async () => {
    facts = readReleaseFacts(tag)[engine]
    installation = await installationOn(engine, tag)
    await addOldMessage(installation)
  })

  it('is rejected and not changed by commands, except a start and migrate', async () => {
    const before = await readSchema(installation)
    const commands = [
      ['project', 'list'],
      ['user', 'add', 'ada@example.com'],
      ['dead-letters', 'retry', '--all'],
    ]
    for (const command of commands)
      expect(await runCulvert(command, installation.variables)).toMatchObject({
        code: 1,
        stderr: textLike(/has schema version \d+, this Culvert needs \d+.*culvert migrate/),
      })
    expect(await readSchema(installation)).toBe(before)
  })

  it('gets the schema of a new database, and keeps every row', async () => {
    const before = await readRows(installation)
    expect(before.rows.get('events')?.length).toBeGreaterThan(10)
    const migrated = await runCulvert(['migrate'], installation.variables)
    expect(migrated).toMatchObject({ code: 0, stderr: '' })
    const after = await readRows(installation, before.columns)
    for (const [table, rows] of before.rows) {
      const kept = after.rows.get(table)?.filter((row) => isAdded[table]?.(row) !== true)
      expect([table, kept]).toEqual([table, rows])
    }
    const fresh = await installationOn(engine)
    expect((await runCulvert(['migrate'], fresh.variables)).code).toBe(0)
    expect(await readSchema(installation)).toBe(await readSchema(fresh))
    await rm(fresh.variables.CULVERT_DATA_DIR, { recursive: true })
  })

  describe('after the start of this version', () => {
    beforeAll(async () => {
      const { CULVERT_DATA_DIR: dataDir, ...variables } = installation.variables
      server = await startServerProcess({ args: [], dataDir, variables })
    })

    it.each(['owner', 'member'] as const)('the %s signs in with the old password', async (role) => {
      const browser = createHttpBrowser(server.origin)
      await browser.post('/login', { email: facts[role].email, password: facts[role].password })
      expect(browser.isSignedIn()).toBe(true)
      const { status, text } = await browser.open('/issues')
      expect([status, text]).toEqual([200, expect.stringContaining(facts.issues[0]?.shortId ?? '')])
    })

    it('an old token lists every issue with its status, and the rest', async () => {
      const { project, issues, release, rule, monitor } = facts
      const listed = v.parse(Issues, await api('/organizations/example/issues/?query=&limit=100'))
      for (const { shortId, title, status } of issues)
        expect(listed).toContainEqual({ shortId, title, status })
      expect(await api(`/projects/example/${project.slug}/rules/`)).toMatchObject(
        expect.arrayContaining([expect.objectContaining({ name: rule })]),
      )
      expect(await api(`/organizations/example/releases/${release}/`)).toMatchObject({ version: release })
      expect(await api(`/organizations/example/monitors/${monitor}/`)).toMatchObject({ slug: monitor })
    })

    it('an issue is found by the digest of its event, with attachment and trace', async () => {
      for (const { eventId, shortId } of facts.issues)
        expect(await (await open(`/digest/${eventId.slice(0, 12)}`)).text()).toContain(shortId)
      const { eventId, text } = facts.attachment
      expect(await (await open(`/events/${eventId}/attachments/1`)).text()).toBe(text)
      expect(await (await open(`/traces/${facts.traceId}`)).text()).toContain('SELECT * FROM orders')
    })

    it('the old DSN accepts the same error again, for the same issue', async () => {
      const { project } = facts
      const [issue] = facts.issues
      const old = v.parse(v.looseObject({}), await (await open(`/events/${issue?.eventId}/json`)).json())
      const eventId = randomEventId()
      const event = { ...old, event_id: eventId, timestamp: Date.now() / 1000 }
      const sent = await postEnvelope(server.origin, envelopeOf({ event_id: eventId }, ['event', event]), {
        project,
      })
      expect([sent.status, await sent.json()]).toEqual([200, { id: eventId }])
      expect(await api(`/organizations/example/eventids/${eventId}/`)).toMatchObject({
        event: {
          groupID: v.parse(Issue, await api(`/organizations/example/shortids/${issue?.shortId}/`)).groupId,
        },
      })
    })

    it('an old message is found by its link and at its issue', async () => {
      const [issue] = facts.issues
      const name = issue?.title.split(':')[0] ?? ''
      const { groupId } = v.parse(Issue, await api(`/organizations/example/shortids/${issue?.shortId}/`))
      for (const path of ['/alerts?message=old-message', `/issues/${groupId}/alerts`]) {
        const shown = await readPage(path)
        expect([path, shown]).toEqual([path, expect.stringContaining(name)])
        expect([path, shown]).toEqual([path, expect.stringContaining(`Regressed by the rule ${facts.rule}`)])
        expect([path, shown]).toEqual([path, expect.stringMatching(/Ops .*1 attempt/)])
      }
    })

    it('old rules decide together about a new issue', async () => {
      const { project } = facts
      const sent = await postEnvelope(server.origin, errorEnvelope({ type: 'ErrorAfterUpgrade' }), {
        project,
      })
      expect(sent.status).toBe(200)
      await expect
        .poll(() => readPage('/alerts'), { timeout: 20_000, interval: 100 })
        .toMatch(/New issue by the rule [A-Za-z ]+ and 1 other rule .*ErrorAfterUpgrade/)
    })

    it('the server stops, and logged no error', async () => {
      expect(await server.end('SIGTERM')).toBe(0)
      expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
    })
  })

  it('is rejected by this version with one sentence if a newer one has migrated it, and is not changed', async () => {
    await makeNewer(installation)
    const content = async () => [await readSchema(installation), [...(await readRows(installation)).rows]]
    const before = await content()
    const { code, stdout, stderr } = await runCulvert(['start'], { ...installation.variables, PORT: '0' })
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]*was written by a newer Culvert[^\n]*\n$/) as string,
    })
    expect(await content()).toEqual(before)
    await rm(installation.variables.CULVERT_DATA_DIR, { recursive: true })
  })
})
