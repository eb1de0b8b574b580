import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findUnavailability } from '#server/store/errors.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { recordIssueStatus } from '#server/store/triage/status.ts'
import { recordUndo } from '#server/store/triage/undo.ts'
import { randomEventId } from '#test/envelopes.ts'
import { startPostgresCluster, type PostgresCluster } from '#test/postgres-cluster.ts'
import { startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { addFixtureProject } from './fixture-project.ts'
import { createLedger, findViolations, type Ledger } from './ledger.ts'
import { sendEvent } from './load.ts'
import { readTotals } from './store-totals.ts'

/** The faults of the processes while clients send. */
export type Fault = 'kill a server' | 'suspend a server' | 'stop the database' | 'kill the database'

export interface ProcessKillOptions {
  clientCount: number
  /** One after another. */
  faults: readonly Fault[]
  /** The time of load without a fault, before each one. */
  loadMs: number
  /** Pause of a client after each event, and of a user after each change. Default: none, and 20 ms. */
  pauseMs?: number
}

export interface ProcessKillResult {
  ledger: Ledger
  /** Violations found in the ledger, the counters or the invariants of the store. */
  violations: string[]
  /** Committed changes: by users, by their kind in the activity of issues, and regressions. */
  changeCounts: Record<string, number>
  /** Lines of the servers' logs about deadlocks. */
  deadlocks: string[]
}

const serverCount = 3
/** New events that the servers acknowledge before each fault, at least. */
const eventsPerFault = 100

/** How long a server is suspended: longer than the database's limit for an idle transaction. */
const suspendedMs = 10_000

interface Field {
  cluster: PostgresCluster
  url: string
  servers: ServerProcess[]
  logs: ServerProcess['log'][]
  ledger: Ledger
  stopping: AbortController
}

/**
 * Runs three servers on one durable PostgreSQL, sends events to all of them and changes issues, while servers
 * and the database fail one after another. Every event is sent until it is acknowledged.
 */
export async function failProcesses(
  dataDir: string,
  options: ProcessKillOptions,
): Promise<ProcessKillResult> {
  const cluster = await startPostgresCluster({ isDurable: true })
  try {
    const url = await cluster.createDatabase('culvert')
    await addFixtureProject(dataDir, { DATABASE_URL: url })
    const start = () => startServerProcess({ dataDir, variables: { DATABASE_URL: url } })
    const servers = await Promise.all(Array.from({ length: serverCount }, start))
    const logs = servers.map(({ log }) => log)
    const field = { cluster, url, servers, logs, ledger: createLedger(), stopping: new AbortController() }
    const clients = Array.from({ length: options.clientCount }, () => sendUntilStopped(field, options))
    const changes = changeUntilStopped(field, options)
    for (const fault of options.faults) {
      await waitForAnswers(field, options.loadMs)
      await inject(field, fault, start)
    }
    await waitForAnswers(field, options.loadMs)
    field.stopping.abort()
    await Promise.all(clients)
    await changes
    const ended = servers.filter(({ child }) => child.exitCode !== null || child.signalCode !== null)
    if (ended.length > 0)
      throw new Error(`servers ended by themselves: ${ended.map((server) => server.stderr()).join()}`)
    await Promise.all(servers.map((server) => server.end('SIGTERM')))
    const violations = await findPostgresViolations(field)
    const deadlocks = logs
      .flat()
      .map((line) => JSON.stringify(line))
      .filter((line) => /deadlock|40P01/i.test(line))
    return { ledger: field.ledger, violations, changeCounts: await countChanges(url), deadlocks }
  } finally {
    await cluster.stop()
  }
}

/** Waits until the servers have acknowledged new events, then for the time of load. */
async function waitForAnswers({ ledger }: Field, loadMs: number): Promise<void> {
  const before = ledger.acked.size
  const until = performance.now() + 60_000
  while (ledger.acked.size < before + eventsPerFault) {
    if (performance.now() > until) throw new Error('the servers acknowledge nothing any more')
    await sleep(50)
  }
  await sleep(loadMs)
}

async function inject(field: Field, fault: Fault, start: () => Promise<ServerProcess>): Promise<void> {
  if (fault === 'stop the database') return field.cluster.restart('SIGQUIT')
  if (fault === 'kill the database') return field.cluster.restart('SIGKILL')
  const index = randomInt(field.servers.length)
  const server = field.servers[index]
  if (server === undefined) return
  if (fault === 'kill a server') {
    await server.end('SIGKILL')
    const next = await start()
    field.logs.push(next.log)
    field.servers[index] = next
    return
  }
  await suspendInTransaction(server, field.url)
  await sleep(suspendedMs)
  server.child.kill('SIGCONT')
}

/** How long no running server leaves a transaction without a statement. */
const abandonedMs = 300

/** Suspends a server at a moment at which it has a transaction open. */
async function suspendInTransaction({ child }: ServerProcess, url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const countIdle = async (forMs: number) => {
    const { rows } = await client.query<{ n: string }>(
      `SELECT count(*) AS n FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'
         AND clock_timestamp() >= state_change + $1 * interval '1 ms'`,
      [forMs],
    )
    return Number(rows[0]?.n)
  }
  const until = performance.now() + 60_000
  try {
    while (performance.now() < until) {
      child.kill('SIGSTOP')
      if ((await countIdle(0)) > 0) {
        await sleep(abandonedMs)
        if ((await countIdle(abandonedMs)) > 0) return
      }
      child.kill('SIGCONT')
      await sleep(randomInt(30))
    }
    throw new Error('the server had no open transaction whenever it was suspended')
  } finally {
    await client.end()
  }
}

/** Sends one event after another, each until it is acknowledged, sometimes to two servers at once. */
async function sendUntilStopped(
  { servers, ledger, stopping }: Field,
  { pauseMs = 0 }: ProcessKillOptions,
): Promise<void> {
  const send = async (eventId: string) => {
    const server = servers[randomInt(servers.length)]
    // A suspended server answers after it is resumed: a client does not wait for that.
    const status = await Promise.race([
      sendEvent({ origin: server?.origin ?? '', ledger, eventId }),
      sleep(3_000, undefined, { ref: false }),
    ])
    return status === 200
  }
  while (!stopping.signal.aborted) {
    const eventId = randomEventId()
    while (!ledger.acked.has(eventId)) {
      const answers = await Promise.all(randomInt(5) === 0 ? [send(eventId), send(eventId)] : [send(eventId)])
      if (!answers.includes(true)) await sleep(50)
    }
    ledger.rejected.delete(eventId)
    await sleep(pauseMs)
  }
}

/** Resolves, reopens, merges and undoes until it is stopped. */
async function changeUntilStopped(
  { url, stopping }: Field,
  { pauseMs = 0 }: ProcessKillOptions,
): Promise<void> {
  const store = await openStore({ path: url })
  try {
    while (!stopping.signal.aborted) {
      try {
        await changeOnce(store)
      } catch (error) {
        if (!findUnavailability(error) && !isLostConnection(error)) throw error
        await sleep(100)
      }
      await sleep(Math.max(20, pauseMs))
    }
  } finally {
    await store.close()
  }
}

async function changeOnce(store: Store): Promise<void> {
  const projectIds = [fixtureProject.id]
  const rows = await store.db
    .selectFrom('issues')
    .select('id')
    .where('project_id', '=', fixtureProject.id)
    .execute()
  const issueIds = rows.map(({ id }) => id)
  const by = { userId: 'ada', at: store.clock() }
  const issueId = issueIds[randomInt(Math.max(issueIds.length, 1))]
  if (issueId === undefined) return
  const kind = randomInt(3)
  if (kind < 2) {
    const change = kind === 0 ? ({ status: 'resolved' } as const) : ({ status: 'unresolved' } as const)
    await recordIssueStatus(store, { issueIds: [issueId], projectIds }, { ...by, change })
  } else await mergeAndUndo(store, issueIds, by)
}

async function mergeAndUndo(
  store: Store,
  issueIds: readonly number[],
  by: { userId: string; at: number },
): Promise<void> {
  const selection = { issueIds: issueIds.slice(0, 2), projectIds: [fixtureProject.id] }
  const merged = await recordMerge(store, selection, by)
  if ('rejected' in merged) return
  const { actionId } = merged
  await recordUndo(store, selection, { ...by, at: store.clock(), actionId })
}

async function countChanges(url: string): Promise<Record<string, number>> {
  const store = await openStore({ path: url })
  try {
    const rows = store.connection
      .prepare('SELECT kind, count(*) AS n FROM issue_activity GROUP BY kind')
      .all()
    return Object.fromEntries(rows.map(({ kind, n }) => [String(kind), Number(n)]))
  } finally {
    await store.close()
  }
}

/** The database ended the connection, or is not running; a deadlock is neither. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^(?:08|57|25P03|E[A-Z]|CLOSED)/.test(code) || /terminat|connection/i.test(error.message)
}

/** The differences between a database, which no server has open, and a ledger; empty if there are none. */
export async function findPostgresViolations({
  url,
  ledger,
}: Pick<Field, 'url' | 'ledger'>): Promise<string[]> {
  const store = await openStore({ path: url })
  try {
    // Folds the deltas that the ended processes left.
    await createCommitter(store).drain()
    return [...findViolations(ledger, await readTotals(store)), ...findBrokenInvariants(store)]
  } finally {
    await store.close()
  }
}
