import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import { builtInProjectId } from '#server/first-projects.ts'
import { limits } from '#server/limits.ts'
import { runRetention } from '#server/retention/run-retention.ts'
import { issueSorts, issueStatuses } from '#server/store/issues/records.ts'
import { listIssues } from '#server/store/issues/search/issue-list.ts'
import { readStreamFrame } from '#server/store/issues/stream-frame.ts'
import { listTagDistributions } from '#server/store/issues/tags.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { readIssueTriage } from '#server/store/triage/choices.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { reopenByTime } from '#server/store/triage/reopening.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { recordUndo } from '#server/store/triage/undo.ts'
import { envelopeOf, errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { manyRowsId, writeManyRows } from '#test/many-rows.ts'
import { listPlanNodes, planLogSettings, readPlans } from '#test/plan-log.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { findPostgresPrograms, startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { fixtureProject, type TestServer } from '#test/start-server.ts'
import { createTempDir, type TempDir } from '#test/temp-dir.ts'
import { startConsole } from '#test/test-console.ts'

/**
 * Runs ingest, triage and the reads of an issue and of a stream on a project with 100,000 events, and looks
 * at the plans that PostgreSQL really used, with the values that it got.
 */

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''
/** A table with fewer rows may be read whole: if most of 10,000 issues match, that is the best plan. */
const smallRows = 15_000
/** Rows that one node of a plan may read. */
const mostRows = 25_000

let cluster: PostgresCluster
let server: TestServer
let client: Client
let cookie: string
let folder: TempDir
let logFile: string
let large: ReadonlySet<string>

async function prepare(): Promise<void> {
  folder = await createTempDir()
  logFile = join(folder.path, 'plans.log')
  cluster = await startPostgresCluster({ settings: planLogSettings, logFile })
  const url = await cluster.createDatabase('planned')
  server = await startConsole({ variables: { DATABASE_URL: url } })
  await addUser(server.services.store)
  cookie = await cookieOf(server.origin)
  client = new Client({ connectionString: url })
  await client.connect()
  await client.query('SET auto_explain.log_min_duration = -1')
  await writeManyRows(client, { projectId: fixtureProject.id, now: server.services.clock() })
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples >= ${smallRows}
     AND relnamespace = 'public'::regnamespace`,
  )
  large = new Set(rows.map(({ name }) => name))
}

/** Summed to find what is in use: a few samples of each reason a day. */
const summed = new Set(['filter_samples'])

/** The problems of the plans of the statements that `work` runs. */
async function findBadPlans(
  work: () => Promise<unknown>,
  canReadWhole: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  // A statement is logged before it is answered.
  const { size } = statSync(logFile)
  await work()
  const plans = readPlans(logFile, size)
  expect(plans.length).toBeGreaterThan(1)
  return [
    ...new Set(
      plans.flatMap(({ 'Query Text': query, Plan: plan }) =>
        listPlanNodes(plan).flatMap((node) => {
          const { 'Node Type': type, 'Relation Name': table } = node
          if (table === undefined || !large.has(table) || canReadWhole.has(table)) return []
          const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
          if (type !== 'Seq Scan' && rows <= mostRows) return []
          return [`${type} of ${rows} rows of ${table}: ${query.replaceAll(/\s+/g, ' ').slice(0, 600)}`]
        }),
      ),
    ),
  ]
}

async function send(body: string): Promise<void> {
  expect((await postEnvelope(server.origin, body)).status).toBe(200)
}

async function open(path: string): Promise<void> {
  const response = await fetch(server.origin + path, { headers: { accept: 'text/html', cookie } })
  expect(response.status).toBe(200)
  await response.text()
}

async function listStreams(): Promise<void> {
  const { store } = server.services
  for (const sort of issueSorts) {
    const page = await listIssues(store.db, {
      projects: [{ id: fixtureProject.id, slug: 'fixture' }],
      userId: 'ada',
      now: store.clock(),
      bars: '24h',
      limit: 50,
      timeLimitMs: 60_000,
      expression: toExpression({ parts: parseSearch('browser:"value 7"').parts }),
      statuses: issueStatuses,
      sort,
    })
    expect(page.issues).toHaveLength(50)
  }
}

/** Uses until reads are prepared under names, and PostgreSQL may plan them for all values: five more. */
const usesUntilPlanned = 2 * limits.namedReadUses + 2

const screens = [
  '/issues',
  '/issues?status=all&project=fixture&environment=staging&sort=users',
  '/issues/1077',
  '/issues/1077/events',
  '/issues/1077/tags',
  '/issues/1077/alerts',
  '/projects',
  '/projects/fixture',
  '/projects/fixture/alerts',
  '/outcomes',
  '/outcomes/dead-letters',
  `/events/${manyRowsId('event77')}`,
  `/digest/${manyRowsId('event77')}`,
  `/traces/${manyRowsId('trace25')}`,
  '/performance?period=24h',
  '/releases',
  '/releases/shop@1.5000.0',
  '/alerts',
  '/inbox?show=all',
  '/tunnel',
]

describe.skipIf(hindrance !== '')(`on 100,000 events, no large table is scanned by${hindrance}`, () => {
  beforeAll(prepare, 180_000)
  afterAll(async () => {
    await server.stop()
    await client.end()
    await cluster.stop()
    await folder.remove()
  })

  it('ingest', async () => {
    const session = { sid: randomEventId(), init: true, status: 'ok', started: new Date().toISOString() }
    const attrs = { release: 'shop@1.50.0', environment: 'production' }
    const bad = await findBadPlans(async () => {
      for (let round = 0; round < 8; round += 1) {
        const bodies = Array.from({ length: 20 }, (_, at) =>
          errorEnvelope({ type: `Error${at % 5}`, release: 'shop@1.50.0' }),
        )
        await Promise.all(bodies.map(send))
        const eventId = randomEventId()
        const about = { message: 'oh', associated_event_id: eventId }
        await send(envelopeOf({ event_id: eventId }, ['event', { message: 'one' }], ['attachment', 'abc']))
        await send(envelopeOf({ event_id: randomEventId() }, ['feedback', { contexts: { feedback: about } }]))
        await send(envelopeOf({}, ['user_report', { event_id: eventId, comments: 'why' }]))
        await send(envelopeOf({}, ['session', { ...session, seq: round, attrs }]))
        await server.services.committer.drain()
      }
    })
    expect(bad).toEqual([])
  })

  it('triage', async () => {
    const { store } = server.services
    const projectIds = [fixtureProject.id]
    const by = { userId: 'ada', at: store.clock() }
    const selection = { issueIds: [1_001, 1_002], projectIds }
    const bad = await findBadPlans(async () => {
      const merged = await recordMerge(store, selection, by)
      if ('rejected' in merged) throw new Error(merged.rejected)
      await recordUndo(store, selection, { ...by, actionId: merged.actionId })
      await recordIssueStatus(store, selection, {
        ...by,
        change: { status: 'resolved', fixedIn: 'next_release' },
      })
      await reopenByTime(store, store.clock())
    })
    expect(bad).toEqual([])
  })

  it('an issue, its activity and its events', async () => {
    const { store } = server.services
    const issue = { projectId: fixtureProject.id, issueId: 1_077 }
    const bad = await findBadPlans(async () => {
      expect((await readIssueTriage(store.db, issue, fixtureProject.name)).activity).not.toEqual([])
      expect(await listTagDistributions(store.db, issue)).not.toEqual([])
    })
    expect(bad).toEqual([])
  })

  it.each(screens)('the screen %s', async (path) => {
    expect(await findBadPlans(() => open(path))).toEqual([])
  })

  it('a stream and its counts', async () => {
    expect(await findBadPlans(listStreams)).toEqual([])
  })

  it('the count of own issues, which other projects have many of', async () => {
    const { size } = statSync(logFile)
    const projectIds = [builtInProjectId, fixtureProject.id]
    await readStreamFrame(server.services.store.db, { userId: 'ada', organizationIds: [1], projectIds })
    const nodes = readPlans(logFile, size).flatMap(({ Plan: plan }) => listPlanNodes(plan))
    const ofIssues = nodes.filter((node) => node['Relation Name'] === 'issues')
    expect(ofIssues).not.toEqual([])
    expect(ofIssues.map((node) => node['Actual Rows']).filter((rows) => rows > 1_000)).toEqual([])
  })

  it('the screen of the system', async () => {
    expect(await findBadPlans(() => open('/settings/system'), summed)).toEqual([])
  })

  it('screens and the stream that are read often', async () => {
    for (let use = 0; use < usesUntilPlanned; use += 1) for (const path of screens) await open(path)
    for (const path of screens)
      expect({ path, bad: await findBadPlans(() => open(path)) }).toEqual({ path, bad: [] })
    expect(await findBadPlans(listStreams)).toEqual([])
  })

  it('retention', async () => {
    const { store } = server.services
    await updateProjectSettings(store, fixtureProject.id, ({ retention }) => ({
      retention: { ...retention, days: 60 },
    }))
    const options = { store, maxBytes: 10 ** 12, disk: undefined, isClockTrusted: true }
    expect(await findBadPlans(() => runRetention(options), summed)).toEqual([])
  })
})
