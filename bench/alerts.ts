/**
 * What rules of alerts cost: CPU and time per event of commits and decisions together, with 0, 10 and 200
 * rules of which each tenth matches, with a threshold of events and with one of users, and the time from a
 * commit to its decisions. Batches of 64 events of 200 issues, one of them new. The databases take turns, so
 * that what else the machine does meets all of them. Then: what it costs to compare counts with a threshold,
 * for 100, 1,000 and 10,000 issues in each twelfth of its windows, and how large the counts are.
 *
 *     npm run bench -- alerts [batches]
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AlertRule } from '#alerts/rule.ts'
import { bucketOf } from '#alerts/threshold.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { recordAlertRule, type ParsedRules } from '#server/store/alerts/rules.ts'
import { compareThresholds, type ThresholdTurns } from '#server/store/alerts/thresholds.ts'
import { createCommitter, type Committer } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { toMedian } from './median.ts'

const batchSize = 64
const issueCount = 200
const cases: { name: string; rules: AlertRule[] }[] = [
  { name: '0 rules', rules: [] },
  { name: '10 rules', rules: makeRules(10) },
  { name: '200 rules', rules: makeRules(200) },
  { name: 'threshold of events', rules: [makeThresholdRule('events')] },
  { name: 'threshold of users', rules: [makeThresholdRule('users')] },
]
const watchedIssues = [100, 1_000, 10_000]

interface Side {
  name: string
  store: Store
  committer: Committer
  parsedRules: ParsedRules
  turns: ThresholdTurns
  cpuMicros: number[]
  wallMs: number[]
  decideMs: number[]
}

/** Runs the benchmark and prints a line for each number of rules. */
export async function runAlertsBench(): Promise<void> {
  const batchCount = Number(process.argv[3] ?? 300)
  const folder = mkdtempSync(join(tmpdir(), 'culvert-bench-'))
  const sides: Side[] = []
  try {
    for (const each of cases) sides.push(await openSide(folder, each))
    for (let batch = 0; batch < batchCount; batch += 1) {
      const events = makeEvents(batch)
      for (const side of sides) await measureBatch(side, events)
    }
    print(sides, batchCount)
    for (const count of watchedIssues) await measureComparison(folder, count)
  } finally {
    for (const { store, committer } of sides) {
      await committer.close()
      await store.close()
    }
    rmSync(folder, { recursive: true })
  }
}

async function openSide(
  folder: string,
  { name, rules }: { name: string; rules: readonly AlertRule[] },
): Promise<Side> {
  const store = await openStore({ path: join(folder, `${name}.db`), clock: Date.now })
  await createProject(store, { id: 1, name: 'Shop', isBuiltIn: true })
  store.connection
    .exec(`INSERT INTO alert_destinations (id, organization_id, name, channel, settings, created_at)
    VALUES ('ops', 1, '#ops', 'slack', '{}', 0)`)
  for (const rule of rules) await recordAlertRule(store, { organizationId: 1, projectId: 1, rule })
  const committer = createCommitter(store)
  await commit(committer, makeEvents(-1))
  const kept = { parsedRules: new Map(), turns: new Map() }
  return { name, store, committer, ...kept, cpuMicros: [], wallMs: [], decideMs: [] }
}

/** Each tenth is for the environment of the events. */
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
    actions: [{ kind: 'destination', id: 'ops' }],
  }))
}

/** One that no issue crosses. */
function makeThresholdRule(of: 'events' | 'users'): AlertRule {
  return {
    name: `Many ${of}`,
    isEnabled: true,
    transitions: ['threshold'],
    threshold: { of, atLeast: 1_000_000, unit: 'count', windowMs: minuteMs },
    filters: [],
    throttleMs: 0,
    actions: [{ kind: 'destination', id: 'ops' }],
  }
}

async function measureBatch(
  { store, committer, parsedRules, turns, ...side }: Side,
  events: EventRecord[],
): Promise<void> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await commit(committer, events)
  const committedAt = performance.now()
  await compareThresholds(store, { now: Date.now(), parsedRules, turns })
  while ((await decideWaitingAlerts(store, { now: Date.now(), hasMail: false, parsedRules })) > 0);
  const endedAt = performance.now()
  const used = process.cpuUsage(cpu)
  side.cpuMicros.push((used.user + used.system) / events.length)
  side.wallMs.push(endedAt - startedAt)
  side.decideMs.push(endedAt - committedAt)
}

function commit(committer: Committer, events: readonly EventRecord[]): Promise<unknown> {
  return Promise.all(
    events.map((event) => committer.commit({ events: [event], outcomes: [], deadLetters: [] })),
  )
}

function print(sides: readonly Side[], batchCount: number): void {
  const [base] = sides
  const baseMicros = toMedian(base?.cpuMicros ?? [])
  console.log(`${batchCount} batches of ${batchSize} events with one new issue each`)
  for (const { name, cpuMicros, wallMs, decideMs } of sides) {
    const micros = toMedian(cpuMicros)
    const perEvent = (toMedian(wallMs) * 1000) / batchSize
    console.log(
      `${name.padEnd(19)}  ${micros.toFixed(1)} µs of CPU per event (${(micros / baseMicros).toFixed(3)}), ` +
        `${perEvent.toFixed(1)} µs; decisions ${toMedian(decideMs).toFixed(2)} ms after the commit`,
    )
  }
}

/** Counts of two whole windows, and their comparison with the threshold, again and again. */
async function measureComparison(folder: string, issues: number): Promise<void> {
  const side = await openSide(folder, { name: `${issues} issues`, rules: [makeThresholdRule('events')] })
  const { store, committer } = side
  const now = Date.now()
  const [before, bucketMs] = [store.engine.readSize().usedBytes, minuteMs / 12]
  const insert = store.connection.prepare('INSERT INTO alert_windows VALUES (1, ?, ?, ?, 1, NULL)')
  store.connection.exec('BEGIN IMMEDIATE')
  for (let bucket = 0; bucket < 24; bucket += 1)
    for (let issue = 0; issue < issues; issue += 1)
      insert.run(minuteMs, bucketOf(minuteMs, now) - bucket * bucketMs, 1e15 + issue * 1e9)
  store.connection.exec('COMMIT')
  const megabytes = (store.engine.readSize().usedBytes - before) / 1e6
  const tookMs: number[] = []
  for (let round = 0; round < 20; round += 1) {
    const startedAt = performance.now()
    await compareThresholds(store, { now, turns: new Map() })
    tookMs.push(performance.now() - startedAt)
  }
  console.log(
    `${String(issues).padStart(6)} issues: ${toMedian(tookMs).toFixed(1)} ms to compare, ${megabytes.toFixed(1)} MB of counts`,
  )
  await committer.close()
  await store.close()
}

/** The first is of an issue that no batch before had. */
function makeEvents(batch: number): EventRecord[] {
  return Array.from({ length: batchSize }, (_, at) =>
    makeEvent(at === 0 ? `new ${batch}` : `issue ${(batch * batchSize + at) % issueCount}`),
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
    tags: Array.from({ length: 10 }, (_, at): [string, string] => [`tag ${at}`, `value ${at}`]),
    payload: Buffer.from(JSON.stringify({ eventId, text: randomBytes(2_000).toString('hex') })),
  }
}
