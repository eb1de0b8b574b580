/**
 * The cost of alert rules in ingest: CPU per event of commits and decisions together, with 0, 10 and 200
 * rules, of which each tenth matches, and with thresholds of events and of users. Each rule notifies a
 * webhook, a chat and a mail address. The decider runs as in the server: after a commit, and at its own
 * interval. Three loads, in batches of 64 events:
 *
 * - usual: one event of 1,024 is of a new issue; the others are of 200 known ones
 * - many new issues: one in each batch
 * - storm: each event is of a new issue
 *
 * The databases are measured alternately. Each is compared with the one without rules in the same round, so
 * that other load of the machine affects all of them. Then: how long comparing counts with a threshold blocks
 * the event loop, for 100, 1,000 and 10,000 issues in each twelfth of its windows, and the size of the
 * counts.
 *
 * With `DATABASE_URL` also on that PostgreSQL server, whose own CPU is not counted.
 *
 * npm run bench -- alerts [rounds]
 */
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { AlertRule, AlertThreshold } from '#alerts/rule.ts'
import { createAlertDecider, type AlertDecider } from '#server/alerts/decider.ts'
import { createLog } from '#server/log.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createCommitter, type Committer } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { createPostgresDatabase } from '#test/postgres-database.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { minuteMs } from '#time/time-steps.ts'
import { measureComparisons } from './alerts/comparisons.ts'
import { commitEvents } from './support/commit-events.ts'
import { toMedian } from './support/median.ts'

const batchSize = 64
const issueCount = 200

interface Load {
  name: string
  /** Per round. */
  batches: number
  isNew: (batch: number, at: number) => boolean
  cases: { name: string; rules: AlertRule[] }[]
}

const rules = [
  { name: '0 rules', rules: [] },
  { name: '10 rules', rules: makeRules(10) },
  { name: '200 rules', rules: makeRules(200) },
]
const thresholds = [
  { name: 'threshold of events', rules: [makeHighThreshold('events')] },
  { name: 'threshold of users', rules: [makeHighThreshold('users')] },
]
const loads: Load[] = [
  {
    name: 'usual: 1 new issue in 1,024 events',
    // About a second: the interval at which counts are compared with thresholds.
    batches: 128,
    isNew: (batch, at) => batch % 16 === 0 && at === 0,
    cases: [...rules, ...thresholds],
  },
  { name: 'many: 16 new issues in 1,024 events', batches: 16, isNew: (_, at) => at === 0, cases: rules },
  { name: 'storm: each event is of a new issue', batches: 8, isNew: () => true, cases: rules },
]

interface Side {
  name: string
  store: Store
  committer: Committer
  decider: AlertDecider
  /** CPU of each round. */
  micros: number[]
  drop?: () => Promise<void>
}

/** Runs the benchmark and prints a line for each number of rules and each load. */
export async function runAlertsBench(): Promise<void> {
  const roundCount = Number(process.argv[3] ?? 12)
  const server = process.env['DATABASE_URL']
  for (const load of loads) await measureLoad(load, { roundCount })
  if (server !== undefined) for (const load of loads) await measureLoad(load, { roundCount, server })
  await measureComparisons(makeThresholdRule)
}

async function measureLoad(
  load: Load,
  { roundCount, server }: { roundCount: number; server?: string },
): Promise<void> {
  const folder = await createTempDir()
  const sides: Side[] = []
  try {
    for (const each of load.cases) sides.push(await openSide(folder.path, each, server))
    // The first rounds fill caches.
    for (let round = -2; round < roundCount; round += 1) {
      const batches = Array.from({ length: load.batches }, (_, batch) =>
        makeEvents(round * load.batches + batch, load.isNew),
      )
      // The first side of a round pays for the deferred work of the previous round.
      const first = Math.abs(round) % sides.length
      for (const side of [...sides.slice(first), ...sides.slice(0, first)]) {
        const micros = await measureRound(side, batches)
        if (round >= 0) side.micros.push(micros)
      }
    }
    console.log(
      `${sides[0]?.store.engine.name}, ${load.name}; ${roundCount} rounds of ${load.batches * batchSize} events`,
    )
    print(sides)
  } finally {
    for (const { store, committer, decider, drop } of sides) {
      await decider.stop()
      await committer.close()
      await store.close()
      await drop?.()
    }
    await folder.remove()
  }
}

async function openSide(
  folder: string,
  { name, rules: ofSide }: { name: string; rules: readonly AlertRule[] },
  server?: string,
): Promise<Side> {
  const database = server === undefined ? undefined : await createPostgresDatabase(server)
  const store = await openStore({ path: database?.url ?? join(folder, `${name}.db`), clock: Date.now })
  await createProject(store, { id: 1, name: 'Shop', isBuiltIn: true })
  store.connection
    .exec(`INSERT INTO alert_destinations (id, organization_id, name, channel, settings, created_at)
    VALUES ('hook', 1, 'Hook', 'webhook', '{}', 0), ('ops', 1, '#ops', 'slack', '{}', 0),
      ('mail', 1, 'Mail', 'email', '{}', 0)`)
  for (const rule of ofSide) await recordAlertRule(store, { organizationId: 1, projectId: 1, rule })
  const committer = createCommitter(store)
  const decider = createAlertDecider({ store, log: createLog('silent'), hasMail: true })
  return { name, store, committer, decider, micros: [], drop: database?.drop }
}

/** Every tenth rule filters by the environment of the events. */
function makeRules(count: number): AlertRule[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `Rule ${at}`,
    isEnabled: true,
    transitions: ['new', 'regressed'],
    filters: [
      { kind: 'environment', is: true, value: at % 10 === 0 ? 'production' : `stage ${at}` },
      { kind: 'level', atLeast: 'error' },
    ],
    throttleMs: 0,
    actions: ['hook', 'ops', 'mail'].map((id) => ({ kind: 'destination' as const, id })),
  }))
}

function makeThresholdRule(threshold: AlertThreshold): AlertRule {
  return {
    name: 'Many',
    isEnabled: true,
    transitions: ['threshold'],
    threshold,
    filters: [],
    throttleMs: 0,
    actions: [{ kind: 'destination', id: 'ops' }],
  }
}

/** A threshold that no issue crosses. */
function makeHighThreshold(of: AlertThreshold['of']): AlertRule {
  return makeThresholdRule({ of, atLeast: 1_000_000, unit: 'count', windowMs: minuteMs })
}

/** CPU per event until all decisions are made. */
async function measureRound(
  { committer, decider }: Side,
  batches: readonly EventRecord[][],
): Promise<number> {
  decider.start()
  const cpu = process.cpuUsage()
  for (const events of batches) {
    await commitEvents(committer, events)
    decider.wake()
  }
  await decider.check()
  await decider.check()
  // Folding counters is a large part, and would be added to an arbitrary round.
  await committer.drain()
  const { user, system } = process.cpuUsage(cpu)
  await decider.stop()
  return (user + system) / (batches.length * batchSize)
}

function print(sides: readonly Side[]): void {
  const [base] = sides
  for (const { name, micros } of sides) {
    const ratio = toMedian(micros.map((each, round) => each / (base?.micros[round] ?? Number.NaN)))
    console.log(
      `  ${name.padEnd(19)}  ${toMedian(micros).toFixed(1)} µs of CPU per event, ${ratio.toFixed(3)} of that without rules`,
    )
  }
}

/** New events are of an issue that no earlier batch contains. */
function makeEvents(batch: number, isNew: Load['isNew']): EventRecord[] {
  return Array.from({ length: batchSize }, (_, at) =>
    makeEvent(isNew(batch, at) ? `new ${batch} ${at}` : `issue ${(batch * batchSize + at) % issueCount}`),
  )
}

function makeEvent(issue: string): EventRecord {
  const eventId = randomBytes(16).toString('hex')
  return {
    projectId: 1,
    eventId,
    category: 'error',
    groupHash: createHash('md5').update(issue).digest('hex'),
    mechanism: 'v1',
    type: 'error',
    title: `TypeError ${issue}`,
    subtitle: 'Cannot read properties of undefined',
    culprit: 'render(app.js)',
    level: 'error',
    platform: 'javascript',
    occurredAt: Date.now(),
    receivedAt: Date.now(),
    environment: 'production',
    userKey: `id:${randomBytes(2).toString('hex')}`,
    tags: Array.from({ length: 10 }, (_, at): [string, string] => [`tag ${at}`, `value ${at}`]),
    payload: Buffer.from(JSON.stringify({ eventId, text: randomBytes(2_000).toString('hex') })),
  }
}
