import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import type { AlertAction } from '#alerts/rule.ts'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { makeAlertRule } from './alert-rule.ts'
import { listDecisions } from './decisions.ts'
import { errorEnvelope, randomEventId } from './envelopes.ts'
import { startFakeUpstream, type FakeUpstream } from './fake-upstream.ts'
import { postEnvelope } from './post-envelope.ts'
import { startSmtpReceiver, type ReceivedMail } from './smtp-receiver.ts'
import { startServer, type TestServer } from './start-server.ts'

/** The events. Each issue is new, one after another in the projects. */
export interface Storm {
  projectCount: number
  issueCount: number
  /** Time in which the new issues arrive. */
  overMs: number
  /** Further events of the first issue. */
  eventCount: number
  /** Events of an issue that spike protection stores; the others are only counted. */
  storedCount?: number
  /** The messages about the first issue are sent before anything else happens. */
  isFirstAlone?: boolean
  ruleCount: number
  /** Ends the time of grouping at once, instead of waiting for it. */
  isHurried: boolean
}

/** The received messages. */
export interface StormOutcome {
  /** Requests to the webhook: kinds, and the transitions that it names or counts. */
  webhooks: { type: string; count: number }[]
  /** Requests to Discord by method: PATCH edits a message. */
  discord: { method: string }[]
  mails: ReceivedMail[]
  /** Decisions of rules with that result. */
  sentCount: number
  /** Rows of events. */
  storedCount: number
}

/** Lets a storm pass a real server, with a webhook, Discord and a mail address as receivers of every rule. */
export async function runStorm(storm: Storm): Promise<StormOutcome> {
  const hook = await startFakeUpstream((response) => response.end('{"id":"1234567890"}'))
  const smtp = await startSmtpReceiver()
  const server = await startServer({
    variables: {
      CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1',
      CULVERT_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      CULVERT_MAIL_FROM: 'culvert@culvert.example',
    },
  })
  onTestFinished(async () => {
    await server.stop()
    await hook.close()
    await smtp.close()
  })
  const { store, alertDecider, alertDeliverer } = server.services
  const projects = await addProjects(server, storm)
  await addRules(server, { ruleCount: storm.ruleCount, hook })
  alertDecider.start()
  alertDeliverer.start()
  // Ingest looks for new rules every second.
  await sleep(1_100)
  const send = createSending(server, projects)
  if (storm.isFirstAlone === true) {
    await send(1, () => 0)
    await expect
      .poll(() => countRows(store, 'alert_deliveries', ['status', 'sent']), { timeout: 20_000 })
      .toBe(receivers.length)
  }
  await send(storm.issueCount, (at) => at, (storm.overMs * requestsAtOnce) / storm.issueCount)
  await send(storm.eventCount, () => 0)
  await settle(store, storm.isHurried)
  return {
    webhooks: hook.requests.filter(({ url }) => url === '/hook').map(({ body }) => readWebhook(body)),
    discord: hook.requests.filter(({ url }) => url !== '/hook').map(({ method }) => ({ method })),
    mails: smtp.mails,
    sentCount: (await listDecisions(store.db)).filter(({ result }) => result === 'sent').length,
    storedCount: await countRows(store, 'events'),
  }
}

interface StormProject {
  id: number
  publicKey: string
}

async function addProjects(
  { services }: TestServer,
  { projectCount, storedCount }: Storm,
): Promise<StormProject[]> {
  const projects = Array.from({ length: projectCount }, (_, at) => ({
    id: 100 + at,
    name: `Project ${at}`,
    publicKey: randomEventId(),
  }))
  for (const project of projects) {
    await createProject(services.store, project)
    if (storedCount !== undefined)
      await updateProjectSettings(services.store, project.id, ({ spikeProtection }) => ({
        spikeProtection: { ...spikeProtection, fullEvents: storedCount },
      }))
  }
  await services.projectKeys.refresh()
  await services.store.writer.deleteFrom('alert_rules').execute()
  return projects
}

const receivers: [channel: string, toValues: (origin: string) => Record<string, string>][] = [
  ['webhook', (origin) => ({ url: `${origin}/hook` })],
  ['discord', (origin) => ({ url: `${origin}/api/webhooks/123456789012345678/${'t'.repeat(68)}` })],
  ['email', () => ({ to: 'ops@example.com' })],
]

async function addRules(
  { services: { store, env } }: TestServer,
  { ruleCount, hook }: { ruleCount: number; hook: FakeUpstream },
): Promise<void> {
  const actions: AlertAction[] = []
  for (const [channel, toValues] of receivers) {
    const values = toValues(`http://${hook.address}`)
    const added = await addDestination({ store, secret: env.secret }, 1, { name: channel, channel, values })
    if (!added.ok) throw new Error(JSON.stringify(added.problems))
    actions.push({ kind: 'destination', id: added.destinationId })
  }
  const rule = makeAlertRule({ actions })
  for (let at = 1; at < ruleCount; at += 1)
    await recordAlertRule(store, { organizationId: 1, rule: { ...rule, name: `New ${at}` } })
  const threshold = { of: 'events', atLeast: 500, unit: 'count', windowMs: 5 * minuteMs } as const
  const flood = { ...rule, name: 'Flood', transitions: ['threshold' as const], threshold }
  await recordAlertRule(store, { organizationId: 1, rule: flood })
}

const requestsAtOnce = 32

/** Sends so many events, each of an issue by its number, which names its project. */
function createSending({ origin }: TestServer, projects: readonly StormProject[]) {
  const sendOne = async (issue: number) => {
    const project = projects[issue % projects.length]
    const body = errorEnvelope({ eventId: randomEventId(), type: `Storm${issue}` })
    for (;;) {
      const { status } = await postEnvelope(origin, body, { project })
      if (status === 200) return
      // A server on a busy machine accepts less: the event is sent again.
      if (status !== 429) throw new Error(`an event was answered with ${status}`)
      await sleep(100)
    }
  }
  return async (count: number, issueOf: (at: number) => number, pauseMs = 0) => {
    for (let sent = 0; sent < count; sent += requestsAtOnce) {
      const batch = Array.from({ length: Math.min(requestsAtOnce, count - sent) }, (_, at) => sent + at)
      await Promise.all(batch.map((at) => sendOne(issueOf(at))))
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }
}

/** Until everything is decided and sent; digests of an alert storm are not awaited. */
async function settle(store: Store, isHurried: boolean): Promise<void> {
  await expect.poll(() => countRows(store, 'alert_transitions'), { timeout: 120_000, interval: 200 }).toBe(0)
  // Counts are compared with thresholds every five seconds.
  await expect
    .poll(() => countRows(store, 'alert_decisions', ['kind', 'threshold']), {
      timeout: 20_000,
      interval: 200,
    })
    .toBe(1)
  await expect
    .poll(
      async () => {
        if (isHurried)
          await store.writer
            .updateTable('alert_deliveries')
            .set({ due_at: 0 })
            .where('status', '=', 'waiting')
            .where('leased_until', 'is', null)
            .execute()
        return countRows(store, 'alert_deliveries', ['status', 'waiting'])
      },
      { timeout: 700_000, interval: 200 },
    )
    .toBe(0)
}

async function countRows(
  { db }: Store,
  table: 'alert_transitions' | 'alert_decisions' | 'alert_deliveries' | 'events',
  [column, value]: ['kind' | 'result' | 'status', string] | [] = [],
): Promise<number> {
  const condition = column === undefined ? sql`` : sql`where ${sql.ref(column)} = ${value}`
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from ${sql.table(table)} ${condition}`.execute(db)
  return rows[0]?.count ?? 0
}

function readWebhook(body: Buffer): StormOutcome['webhooks'][number] {
  const { type, data } = JSON.parse(body.toString()) as {
    type: string
    data: { issues: unknown[]; moreCount: number }
  }
  return { type, count: data.issues.length + data.moreCount }
}
