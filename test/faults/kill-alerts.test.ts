import { expect, it, onTestFinished } from 'vitest'
import { parseDeliveryMessage } from '#server/store/alerts/delivery-message.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { errorEnvelope, randomEventId } from '../support/envelopes.ts'
import { findPostgresPrograms, startPostgresCluster } from '../support/postgres-cluster.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { fixtureProject } from '../support/start-server.ts'
import { createTempDir } from '../support/temp-dir.ts'
import { addFixtureProject } from './support/fixture-project.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''

it('two servers on SQLite that are killed decide about each new issue once', async () => {
  const { issueIds, decidedIds, sentCount } = await killWhileDeciding(2)
  expect(issueIds.length).toBeGreaterThan(60)
  expect(decidedIds).toEqual(issueIds)
  expect(sentCount).toBe(issueIds.length)
}, 120_000)

it.skipIf(hindrance !== '')(
  `three servers on PostgreSQL that are killed decide once about each new issue${hindrance}`,
  async () => {
    const cluster = await startPostgresCluster()
    onTestFinished(() => cluster.stop())
    const { issueIds, decidedIds, sentCount } = await killWhileDeciding(
      3,
      await cluster.createDatabase('alerts'),
    )
    expect(issueIds.length).toBeGreaterThan(60)
    expect(decidedIds).toEqual(issueIds)
    expect(sentCount).toBe(issueIds.length)
  },
  180_000,
)

const rounds = 4
const issuesPerRound = 60

/** The final content of the database. */
interface Outcome {
  issueIds: number[]
  /** The issues with a decision by the rule for the destination. */
  decidedIds: number[]
  /** Transitions in messages to the destination. */
  sentCount: number
}

/** Kills one server in each round, while new issues arrive at all of them. */
async function killWhileDeciding(serverCount: number, databaseUrl?: string): Promise<Outcome> {
  const dataDir = await createTempDir()
  onTestFinished(() => dataDir.remove())
  const variables: Record<string, string> = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  await addFixtureProject(dataDir.path, variables)
  const store = await openStore({ path: databaseUrl ?? `${dataDir.path}/culvert.db` })
  onTestFinished(() => store.close())
  await addRule(store)
  const start = () => startServerProcess({ dataDir: dataDir.path, variables })
  const servers = await Promise.all(Array.from({ length: serverCount }, start))
  for (let round = 0; round < rounds; round += 1) {
    const sending = sendIssues(servers)
    // At another moment of the burst in each round.
    const most = (await sumRows(store, 'issues')) + (round + 1) * 5
    await expect.poll(() => sumRows(store, 'issues'), { timeout: 30_000, interval: 5 }).toBeGreaterThan(most)
    const victim = servers.shift()
    await victim?.end('SIGKILL')
    await sending
    servers.push(await start())
  }
  await expect.poll(() => sumRows(store, 'alert_transitions'), { timeout: 60_000 }).toBe(0)
  for (const server of servers) expect(await server.end('SIGTERM')).toBe(0)
  return readOutcome(store)
}

async function addRule(store: Store): Promise<void> {
  await store.writer
    .insertInto('alert_destinations')
    .values({
      id: 'ops',
      organization_id: 1,
      name: '#ops',
      channel: 'webhook',
      settings: '{}',
      secrets: null,
      created_at: 0,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
      last_error: null,
    })
    .execute()
  await recordAlertRule(store, {
    organizationId: 1,
    rule: {
      name: 'New',
      isEnabled: true,
      transitions: ['new'],
      filters: [],
      throttleMs: 0,
      actions: [{ kind: 'destination', id: 'ops' }],
    },
  })
}

/** Sends new issues to the servers in turn; a killed one does not answer. */
async function sendIssues(servers: readonly ServerProcess[]): Promise<void> {
  const { id, publicKey } = fixtureProject
  await Promise.all(
    Array.from({ length: issuesPerRound }, async (_, at) => {
      const eventId = randomEventId()
      const url = `${servers[at % servers.length]?.origin}/api/${id}/envelope/?sentry_key=${publicKey}`
      await fetch(url, { method: 'POST', body: errorEnvelope({ eventId, type: `E${eventId}` }) }).catch(
        () => undefined,
      )
    }),
  )
}

async function sumRows(store: Store, table: 'issues' | 'alert_transitions'): Promise<number> {
  const row = await store.db
    .selectFrom(table)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

async function readOutcome({ db }: Store): Promise<Outcome> {
  const issues = await db.selectFrom('issues').select('id').orderBy('id').execute()
  const decisions = await db
    .selectFrom('alert_decisions')
    .select('issue_id')
    .where('result', '=', 'sent')
    .orderBy('issue_id')
    .execute()
  const deliveries = await db.selectFrom('alert_deliveries').selectAll().execute()
  const messages = deliveries.map(parseDeliveryMessage)
  const sums = messages.map(({ transitions, moreCount }) => transitions.length + moreCount)
  return {
    issueIds: issues.map(({ id }) => id),
    decidedIds: decisions.map(({ issue_id }) => issue_id),
    sentCount: sums.reduce((sum, each) => sum + each, 0),
  }
}
