import { expect, it, onTestFinished } from 'vitest'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { limits } from '#server/limits.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { listDecisions } from '#test/decisions.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { startFakeUpstream, takeAll } from '#test/fake-upstream.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import { startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''
const project = { id: 100, name: 'Shop', publicKey: randomEventId() }
const issueCount = 24
const serverCount = 3
const rounds = 2

it('three servers on SQLite that are killed decide once about each regression, reopening, escalation and threshold', async () => {
  expectOneDecisionEach(await killWhileIssuesChange())
}, 180_000)

it.skipIf(hindrance !== '')(
  `three servers on PostgreSQL that are killed decide once about each of them${hindrance}`,
  async () => {
    const cluster = await startPostgresCluster()
    onTestFinished(() => cluster.stop())
    expectOneDecisionEach(await killWhileIssuesChange(await cluster.createDatabase('alerts')))
  },
  240_000,
)

/** In each round all issues are closed, then get an event or a burst each, while a server is killed. */
async function killWhileIssuesChange(databaseUrl?: string): Promise<Outcome> {
  const dataDir = await makeTestFolder()
  const hook = await startFakeUpstream(takeAll)
  onTestFinished(() => hook.close())
  const variables = {
    CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  const store = await openStore({ path: databaseUrl ?? `${dataDir}/culvert.db` })
  onTestFinished(() => store.close())
  await createProject(store, project)
  await addRules(store, `http://${hook.address}/hook`)
  const start = () => startServerProcess({ dataDir, variables })
  const servers = await Promise.all(Array.from({ length: serverCount }, start))
  await sendAll(servers)
  for (let round = 0; round < rounds; round += 1) {
    await closeIssues(store)
    const decidedBefore = await countDecisions(store)
    // Three times the busiest hour, and one more.
    const sending = sendAll(servers, round === 0 ? limits.escalationEvents + 1 : 60)
    await expect.poll(() => countDecisions(store), { interval: 20 }).toBeGreaterThan(decidedBefore)
    const victim = servers.shift()
    await victim?.end('SIGKILL')
    servers.push(await start())
    await sending
    await escalateAll(servers, store, round + 1)
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
  issueId: number
  kind: string
  at: number
}

interface Outcome {
  /** From the activity, which is written with the change. */
  changes: ChangedIssue[]
  decisions: (ChangedIssue & { result: string })[]
}

async function readOutcome({ db }: Store): Promise<Outcome> {
  const decisions = (await listDecisions(db)).filter(({ kind }) => changeKinds.has(kind))
  return { changes: await listChanges(db), decisions }
}

const changeKinds: ReadonlySet<string> = new Set(['regressed', 'unarchived', 'escalated', 'threshold'])

async function listChanges(db: Store['db']): Promise<ChangedIssue[]> {
  const rows = await db
    .selectFrom('issue_activity')
    .select(['issue_id', 'kind', 'at', 'detail'])
    .where('kind', 'in', ['regressed', 'reopened'])
    .execute()
  return rows.map(({ issue_id: issueId, kind, at, detail }) => {
    const reopened = detail.includes('"escalation"') ? 'escalated' : 'unarchived'
    return { issueId, kind: kind === 'reopened' ? reopened : kind, at }
  })
}

function expectOneDecisionEach({ changes, decisions }: Outcome): void {
  expect(new Set(decisions.map(({ result }) => result))).toEqual(new Set(['sent']))
  const decided = decisions.filter(({ kind }) => kind !== 'threshold')
  expect(decided.map(toText).toSorted()).toEqual(changes.map(toText).toSorted())
  expect(changes).toHaveLength(issueCount * rounds)
  for (const { kind } of endings)
    expect(changes.filter((each) => each.kind === kind)).toHaveLength((issueCount * rounds) / 3)
  const crossed = decisions.filter(({ kind }) => kind === 'threshold').map(({ issueId }) => issueId)
  expect(new Set(crossed).size).toBe(issueCount)
  expect(crossed).toHaveLength(issueCount)
}

function toText({ issueId, kind, at }: ChangedIssue): string {
  return `${issueId} ${kind} ${at}`
}

async function addRules(store: Store, url: string): Promise<void> {
  await store.writer.deleteFrom('alert_rules').execute()
  const entered = { name: 'Hook', channel: 'webhook', values: { url } }
  const added = await addDestination({ store, secret: undefined }, 1, entered)
  if (!added.ok) throw new Error(JSON.stringify(added.problems))
  const common = makeAlertRule({ actions: [{ kind: 'destination', id: added.destinationId }] })
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

/** The ways in which issues are closed, in turn by their names, and what happens to them afterwards. */
const endings = [
  { kind: 'regressed', change: { status: 'resolved' } },
  { kind: 'unarchived', change: { status: 'archived', until: { moreEvents: 1 } } },
  { kind: 'escalated', change: { status: 'archived', until: { escalates: true } } },
] as const

const endingOf = (number: number) => endings[number % endings.length]

async function closeIssues(store: Store): Promise<void> {
  const issues = await store.db.selectFrom('issues').select(['id', 'title']).execute()
  expect(issues).toHaveLength(issueCount)
  for (const ending of endings) {
    const ids = issues.filter(({ title }) => endingOf(Number(/\d+/.exec(title)?.[0])) === ending)
    await recordIssueStatus(
      store,
      { issueIds: ids.map(({ id }) => id), projectIds: [project.id] },
      { userId: 'ada', at: Date.now(), change: ending.change },
    )
  }
}

/** An event of each issue, or a burst of those that may escalate. */
async function sendAll(servers: readonly ServerProcess[], burst = 1): Promise<void> {
  await Promise.all(
    Array.from({ length: issueCount }, async (_, at) => {
      const count = endingOf(at)?.kind === 'escalated' ? burst : 1
      for (let number = 0; number < count; number += 1) await sendOne(servers, at)
    }),
  )
}

/** Sends to the servers in turn; again with the same id if one was killed. */
async function sendOne(servers: readonly ServerProcess[], issue: number): Promise<void> {
  const body = errorEnvelope({ eventId: randomEventId(), type: `E${issue}` })
  for (let attempt = 0; ; attempt += 1) {
    const { origin = '' } = servers[(issue + attempt) % servers.length] ?? {}
    const answer = await postEnvelope(origin, body, { project }).catch(() => undefined)
    if (answer?.status === 200) return
  }
}

/** The count of an hour restarts at its end: then the burst was too short, and further events follow. */
async function escalateAll(servers: readonly ServerProcess[], store: Store, times: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const count = (await listChanges(store.db)).filter(({ kind }) => kind === 'escalated').length
        if (count < (times * issueCount) / 3) await sendAll(servers, 10)
        return count
      },
      { timeout: 60_000 },
    )
    .toBe((times * issueCount) / 3)
}

async function countDecisions({ db }: Store, of?: string): Promise<number> {
  return (await listDecisions(db)).filter(({ kind }) => of === undefined || kind === of).length
}

async function countWaiting({ db }: Store): Promise<number> {
  const { count } = await db
    .selectFrom('alert_transitions')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
