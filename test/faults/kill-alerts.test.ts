import { expect, it, onTestFinished } from 'vitest'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { limits } from '#server/limits.ts'
import { parseDeliveryMessage } from '#server/store/alerts/deliveries/message.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { listDecisions } from '#test/decisions.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { startFakeUpstream, takeAll, type FakeUpstream } from '#test/fake-upstream.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import { startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { startSmtpReceiver, type SmtpReceiver } from '#test/smtp-receiver.ts'
import { makeTestFolder } from '#test/test-store.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''

it('three servers on SQLite that are killed decide about each new issue once, and send each message', async () => {
  expectComplete(await killInBursts(3))
}, 180_000)

it.skipIf(hindrance !== '')(
  `three servers on PostgreSQL that are killed decide about each new issue once, and send each message${hindrance}`,
  { timeout: 240_000, tags: 'full' },
  async () => {
    const cluster = await startPostgresCluster()
    onTestFinished(() => cluster.stop())
    expectComplete(await killInBursts(3, await cluster.createDatabase('alerts')))
  },
)

const rounds = 3
const projectsPerRound = 2
const issuesPerRound = 60
const webhookCount = 6
/** Messages that one process sends concurrently, and that may be sent twice if it is killed. */
const sentAtOnce = limits.alertPostsAtOnce + limits.alertMailsAtOnce

/** The final content of the database, and what the receivers got. */
interface Outcome {
  issueIds: number[]
  /** The issues with a decision by the rule. */
  decidedIds: number[]
  /** Transitions in the messages to each destination. */
  sentCounts: number[]
  deliveries: { id: string; status: string; attemptCount: number }[]
  /** The ids of the messages, once per delivery. */
  receivedIds: string[]
}

function expectComplete({ issueIds, decidedIds, sentCounts, deliveries, receivedIds }: Outcome): void {
  expect(issueIds.length).toBeGreaterThan(60)
  expect(decidedIds).toEqual(issueIds)
  expect(sentCounts).toEqual(Array.from({ length: webhookCount + 1 }, () => issueIds.length))
  expect([...new Set(deliveries.map(({ status }) => status))]).toEqual(['sent'])
  const timesReceived = deliveries.map(({ id }) => receivedIds.filter((each) => each === id).length)
  expect(Math.min(...timesReceived)).toBe(1)
  const doubleCount = receivedIds.length - deliveries.length
  const attemptCount = deliveries.reduce((sum, each) => sum + each.attemptCount, 0)
  process.stdout.write(
    `${deliveries.length} messages, ${attemptCount} attempts, ${doubleCount} received twice after ${rounds} kills\n`,
  )
  expect(doubleCount).toBeLessThanOrEqual(rounds * sentAtOnce)
  // Only messages that a killed process was sending are sent twice.
  expect(receivedIds.length).toBeLessThanOrEqual(attemptCount)
}

/** Kills one server in each round, while new issues arrive at all of them and messages are being sent. */
async function killInBursts(serverCount: number, databaseUrl?: string): Promise<Outcome> {
  const dataDir = await makeTestFolder()
  const [hook, smtp] = [await startFakeUpstream(answerLater), await startSmtpReceiver()]
  onTestFinished(() => hook.close())
  onTestFinished(() => smtp.close())
  const variables: Record<string, string> = {
    CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1',
    CULVERT_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    CULVERT_MAIL_FROM: 'culvert@culvert.example',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  const store = await openStore({ path: databaseUrl ?? `${dataDir}/culvert.db` })
  onTestFinished(() => store.close())
  const projects = await addProjects(store)
  await addRule(store, hook)
  const start = () => startServerProcess({ dataDir, variables })
  const servers = await Promise.all(Array.from({ length: serverCount }, start))
  for (let round = 0; round < rounds; round += 1) {
    const ofRound = projects.slice(round * projectsPerRound, (round + 1) * projectsPerRound)
    const [receivedBefore, sending] = [hook.requests.length, sendIssues(servers, ofRound)]
    // At another moment of the burst in each round, while messages are on their way.
    await expect
      .poll(() => endLeases(store).then(() => hook.requests.length), { timeout: 30_000, interval: 100 })
      .toBeGreaterThan(receivedBefore + round * 2)
    const victim = servers.shift()
    await victim?.end('SIGKILL')
    await sending
    servers.push(await start())
  }
  await expect.poll(() => countRows(store, 'alert_transitions'), { timeout: 60_000 }).toBe(0)
  await expect
    .poll(
      async () => {
        await letTimePass(store)
        return countRows(store, 'alert_deliveries', 'waiting')
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(0)
  for (const server of servers) expect(await server.end('SIGTERM')).toBe(0)
  return readOutcome(store, hook, smtp)
}

/** Long enough for a process to be killed in between. */
const answerLater: Parameters<typeof startFakeUpstream>[0] = (response, request) =>
  void setTimeout(() => takeAll(response, request), 20 + Math.random() * 60)

/** A message follows at once for each project, and later ones wait to be grouped. */
async function addProjects(store: Store): Promise<{ id: number; publicKey: string }[]> {
  const projects = Array.from({ length: rounds * projectsPerRound }, (_, at) => ({
    id: 100 + at,
    name: `Project ${at}`,
    publicKey: randomEventId(),
  }))
  for (const project of projects) await createProject(store, project)
  // The default rules of new projects notify members.
  await store.writer.deleteFrom('alert_rules').execute()
  return projects
}

async function addRule(store: Store, hook: FakeUpstream): Promise<void> {
  const webhooks = Array.from({ length: webhookCount }, (_, at) => ({
    name: `Hook ${at}`,
    channel: 'webhook',
    values: { url: `http://${hook.address}/${at}` },
  }))
  const mail = { name: 'Mail', channel: 'email', values: { to: 'ops@example.com' } }
  const ids: string[] = []
  for (const entered of [...webhooks, mail]) {
    const added = await addDestination({ store, secret: undefined }, 1, entered)
    if (!added.ok) throw new Error(JSON.stringify(added.problems))
    ids.push(added.destinationId)
  }
  await recordAlertRule(store, {
    organizationId: 1,
    rule: makeAlertRule({ actions: ids.map((id) => ({ kind: 'destination', id })) }),
  })
}

/** Sends new issues to the servers in turn; a killed one does not answer. */
async function sendIssues(
  servers: readonly ServerProcess[],
  projects: readonly { id: number; publicKey: string }[],
): Promise<void> {
  await Promise.all(
    Array.from({ length: issuesPerRound }, async (_, at) => {
      const eventId = randomEventId()
      const project = projects[at % projects.length]
      const { origin = '' } = servers[at % servers.length] ?? {}
      const body = errorEnvelope({ eventId, type: `E${eventId}` })
      await postEnvelope(origin, body, { project }).catch(() => undefined)
    }),
  )
}

/** The time of grouping, and of leases. */
async function letTimePass(store: Store): Promise<void> {
  await store.writer
    .updateTable('alert_deliveries')
    .set({ due_at: 0 })
    .where('status', '=', 'waiting')
    .where('leased_until', 'is', null)
    .execute()
  await endLeases(store)
}

/** Waits until leases of killed processes have expired, and their messages are sent again. */
async function endLeases(store: Store): Promise<void> {
  await store.writer
    .updateTable('alert_deliveries')
    .set({ leased_until: 0 })
    .where('status', '=', 'waiting')
    // Except those that a living server is sending: receivers answer within the lease.
    .where('leased_until', '<', store.clock() + limits.alertLeaseMs - 2_000)
    .execute()
}

async function countRows(
  store: Store,
  table: 'alert_transitions' | 'alert_deliveries',
  status?: string,
): Promise<number> {
  const row = await store.db
    .selectFrom(table)
    .select((of) => of.fn.countAll<number>().as('count'))
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
    .executeTakeFirstOrThrow()
  return row.count
}

async function readOutcome({ db }: Store, hook: FakeUpstream, smtp: SmtpReceiver): Promise<Outcome> {
  const issues = await db.selectFrom('issues').select('id').orderBy('id').execute()
  const sent = (await listDecisions(db)).filter(({ result }) => result === 'sent')
  const deliveries = await db.selectFrom('alert_deliveries').selectAll().execute()
  const byDestination = Map.groupBy(
    // A summary says that a digest follows, which has them too.
    deliveries.filter(({ kind }) => kind !== 'storm'),
    (row) => row.destination_id,
  )
  return {
    issueIds: issues.map(({ id }) => id),
    decidedIds: sent.map(({ issueId }) => issueId).toSorted((one, other) => one - other),
    sentCounts: [...byDestination.values()].map((rows) =>
      rows
        .flatMap((row) => parseDeliveryMessage(row) ?? [])
        .reduce((sum, { transitions, moreCount }) => sum + transitions.length + moreCount, 0),
    ),
    deliveries: deliveries.map((row) => ({
      id: row.id,
      status: row.status,
      attemptCount: row.attempt_count,
    })),
    receivedIds: [
      ...hook.requests.map(({ headers }) => String(headers['webhook-id']).replace('msg_', '')),
      ...smtp.mails.map(({ raw }) => /^Message-ID: <([^@]+)@/im.exec(raw)?.[1] ?? ''),
    ],
  }
}
