/**
 * What rules of alerts cost: CPU and time per event of commits and decisions together, with 0, 10 and 200
 * rules of which each tenth matches, and the time from a commit to its decisions. Batches of 64 events of 200
 * issues, one of them new. The three databases take turns, so that what else the machine does meets all of
 * them.
 *
 *     npm run bench -- alerts [batches]
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AlertRule } from '#alerts/rule.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { recordAlertRule, type ParsedRules } from '#server/store/alerts/rules.ts'
import { createCommitter, type Committer } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { toMedian } from './median.ts'

const batchSize = 64
const issueCount = 200
const ruleCounts = [0, 10, 200]

interface Side {
  ruleCount: number
  store: Store
  committer: Committer
  parsedRules: ParsedRules
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
    for (const ruleCount of ruleCounts) sides.push(await openSide(folder, ruleCount))
    for (let batch = 0; batch < batchCount; batch += 1) {
      const events = makeEvents(batch)
      for (const side of sides) await measureBatch(side, events)
    }
    print(sides, batchCount)
  } finally {
    for (const { store, committer } of sides) {
      await committer.close()
      await store.close()
    }
    rmSync(folder, { recursive: true })
  }
}

async function openSide(folder: string, ruleCount: number): Promise<Side> {
  const store = await openStore({ path: join(folder, `${ruleCount}.db`), clock: Date.now })
  await createProject(store, { id: 1, name: 'Shop', isBuiltIn: true })
  store.sqlite.exec(`INSERT INTO alert_destinations (id, organization_id, name, channel, settings, created_at)
    VALUES ('ops', 1, '#ops', 'slack', '{}', 0)`)
  for (let at = 0; at < ruleCount; at += 1)
    await recordAlertRule(store, { organizationId: 1, projectId: 1, rule: makeRule(at) })
  const committer = createCommitter(store)
  await commit(committer, makeEvents(-1))
  return { ruleCount, store, committer, parsedRules: new Map(), cpuMicros: [], wallMs: [], decideMs: [] }
}

/** Each tenth is for the environment of the events. */
function makeRule(at: number): AlertRule {
  return {
    name: `Rule ${at}`,
    isEnabled: true,
    transitions: ['new', 'regressed'],
    filters: [
      { kind: 'environment', is: true, value: at % 10 === 0 ? 'production' : `stage ${at}` },
      { kind: 'level', atLeast: 'error' },
    ],
    throttleMs: 0,
    actions: [{ kind: 'destination', id: 'ops' }],
  }
}

async function measureBatch(
  { store, committer, parsedRules, ...side }: Side,
  events: EventRecord[],
): Promise<void> {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await commit(committer, events)
  const committedAt = performance.now()
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
  for (const { ruleCount, cpuMicros, wallMs, decideMs } of sides) {
    const micros = toMedian(cpuMicros)
    const perEvent = (toMedian(wallMs) * 1000) / batchSize
    console.log(
      `${String(ruleCount).padStart(3)} rules  ${micros.toFixed(1)} µs of CPU per event (${(micros / baseMicros).toFixed(3)}), ` +
        `${perEvent.toFixed(1)} µs; decisions ${toMedian(decideMs).toFixed(2)} ms after the commit`,
    )
  }
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
