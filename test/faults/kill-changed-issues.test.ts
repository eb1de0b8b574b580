import { expect, it, onTestFinished } from 'vitest'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { hourMs } from '#time/time-steps.ts'
import { errorEnvelope, randomEventId } from '../support/envelopes.ts'
import { startFakeUpstream, takeAll } from '../support/fake-upstream.ts'
import { findPostgresPrograms, startPostgresCluster } from '../support/postgres-cluster.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { createTempDir } from '../support/temp-dir.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''
const project = { id: 100, name: 'Shop', publicKey: randomEventId() }
const issueCount = 24
const rounds = 2

it('two servers on SQLite that are killed decide once about each regression, reopening and threshold', async () => {
  expectOneDecisionEach(await killWhileIssuesChange(2))
}, 180_000)

it.skipIf(hindrance !== '')(
  `three servers on PostgreSQL that are killed decide once about each of them${hindrance}`,
  async () => {
    const cluster = await startPostgresCluster()
    onTestFinished(() => cluster.stop())
    expectOneDecisionEach(await killWhileIssuesChange(3, await cluster.createDatabase('alerts')))
  },
  240_000,
)

/** In each round all issues are closed, then get an event each, while a server is killed. */
async function killWhileIssuesChange(serverCount: number, databaseUrl?: string): Promise<Outcome> {
  const dataDir = await createTempDir()
  onTestFinished(() => dataDir.remove())
  const hook = await startFakeUpstream(takeAll)
  onTestFinished(() => hook.close())
  const variables = {
    CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  const store = await openStore({ path: databaseUrl ?? `${dataDir.path}/culvert.db` })
  onTestFinished(() => store.close())
  await createProject(store, project)
  await addRules(store, `http://${hook.address}/hook`)
  const start = () => startServerProcess({ dataDir: dataDir.path, variables })
  const servers = await Promise.all(Array.from({ length: serverCount }, start))
  await sendAll(servers)
  for (let round = 0; round < rounds; round += 1) {
    await closeIssues(store)
    const decidedBefore = await countDecisions(store)
    const sending = sendAll(servers)
    await expect.poll(() => countDecisions(store), { interval: 20 }).toBeGreaterThan(decidedBefore)
    const victim = servers.shift()
    await victim?.end('SIGKILL')
    servers.push(await start())
    await sending
  }
  // Counts of an hour are compared every ten seconds.
  await expect
    .poll(() => countDecisions(store, 'threshold'), { timeout: 60_000, interval: 500 })
    .toBe(issueCount)
  await expect.poll(() => countWaiting(store), { timeout: 60_000 }).toBe(0)
  for (const server of servers) expect(await server.end('SIGTERM')).toBe(0)
  return readOutcome(store)
}

interface ChangedIssue {
  issue_id: number
  kind: string
  at: number
}

interface Outcome {
  /** Of the activity, which is written with the change. */
  changes: ChangedIssue[]
  decisions: (ChangedIssue & { result: string })[]
}

async function readOutcome({ db }: Store): Promise<Outcome> {
  const changes = await db
    .selectFrom('issue_activity')
    .select(['issue_id', 'kind', 'at'])
    .where('kind', 'in', ['regressed', 'reopened'])
    .execute()
  const decisions = await db
    .selectFrom('alert_decisions')
    .select(['issue_id', 'kind', 'at', 'result'])
    .where('kind', 'in', ['regressed', 'unarchived', 'threshold'])
    .execute()
  return { changes, decisions }
}

function expectOneDecisionEach({ changes, decisions }: Outcome): void {
  expect(new Set(decisions.map(({ result }) => result))).toEqual(new Set(['sent']))
  const decided = decisions.filter(({ kind }) => kind !== 'threshold')
  expect(decided.map(toText).toSorted()).toEqual(changes.map(toText).toSorted())
  expect(changes).toHaveLength(issueCount * rounds)
  const crossed = decisions.filter(({ kind }) => kind === 'threshold').map(({ issue_id }) => issue_id)
  expect(new Set(crossed).size).toBe(issueCount)
  expect(crossed).toHaveLength(issueCount)
}

function toText({ issue_id, kind, at }: ChangedIssue): string {
  return `${issue_id} ${kind.replace('reopened', 'unarchived')} ${at}`
}

async function addRules(store: Store, url: string): Promise<void> {
  await store.writer.deleteFrom('alert_rules').execute()
  const entered = { name: 'Hook', channel: 'webhook', values: { url } }
  const added = await addDestination({ store, secret: undefined }, 1, entered)
  if (!added.ok) throw new Error(JSON.stringify(added.problems))
  const common = {
    isEnabled: true,
    filters: [],
    throttleMs: 0,
    actions: [{ kind: 'destination' as const, id: added.destinationId }],
  }
  await recordAlertRule(store, {
    organizationId: 1,
    rule: { ...common, name: 'Changes', transitions: ['regressed', 'unarchived', 'escalated'] },
  })
  const threshold = { of: 'events', atLeast: rounds + 1, unit: 'count', windowMs: hourMs } as const
  await recordAlertRule(store, {
    organizationId: 1,
    rule: { ...common, name: 'Flood', transitions: ['threshold'], threshold },
  })
}

/** Every second one is resolved, and regresses; the others are archived until their next event. */
async function closeIssues(store: Store): Promise<void> {
  const issues = await store.db.selectFrom('issues').select('id').orderBy('id').execute()
  expect(issues).toHaveLength(issueCount)
  const ids = issues.map(({ id }) => id)
  const close = (isEven: boolean, change: Parameters<typeof recordIssueStatus>[2]['change']) =>
    recordIssueStatus(
      store,
      { issueIds: ids.filter((_, at) => (at % 2 === 0) === isEven), projectIds: [project.id] },
      { userId: 'ada', at: Date.now(), change },
    )
  await close(true, { status: 'resolved' })
  await close(false, { status: 'archived', until: { moreEvents: 1 } })
}

/** An event of each issue, to the servers in turn; again with the same id where one was killed. */
async function sendAll(servers: readonly ServerProcess[]): Promise<void> {
  await Promise.all(
    Array.from({ length: issueCount }, async (_, at) => {
      const body = errorEnvelope({ eventId: randomEventId(), type: `E${at}` })
      for (let attempt = 0; ; attempt += 1) {
        const { origin } = servers[(at + attempt) % servers.length] ?? {}
        const answer = await fetch(`${origin}/api/${project.id}/envelope/?sentry_key=${project.publicKey}`, {
          method: 'POST',
          body,
        }).catch(() => undefined)
        if (answer?.status === 200) return
      }
    }),
  )
}

async function countDecisions({ db }: Store, kind?: string): Promise<number> {
  const { count } = await db
    .selectFrom('alert_decisions')
    .select((of) => of.fn.countAll<number>().as('count'))
    .$if(kind !== undefined, (of) => of.where('kind', '=', kind ?? ''))
    .executeTakeFirstOrThrow()
  return count
}

async function countWaiting({ db }: Store): Promise<number> {
  const { count } = await db
    .selectFrom('alert_transitions')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
