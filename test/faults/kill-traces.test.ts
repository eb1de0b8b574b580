import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { hexOf } from '#server/store/engine/per-engine.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import { startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { addFixtureProject } from './support/fixture-project.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''
const clientCount = 16
const killCount = 2
/** Longer than an overload lasts without requests, and shorter than an SDK waits. */
const retryMs = 1.5 * limits.overloadCalmMs
const reconnectMs = 20
/** Number of transaction names: more than one run of a fold writes. */
const nameCount = 150
/** Child spans of each transaction. */
const childCount = 3
/** Spans of each OTLP request. */
const exportedSpans = 501
/** The same for all traces of a request. */
const requestOf = (traceId: string) => traceId.slice(1)

it('a killed server has all acknowledged traces, and counts each stored one once in the figures', async () => {
  await expectCountedOnce({ serverCount: 1 })
}, 240_000)

it.skipIf(hindrance !== '')(
  `two servers on PostgreSQL of which one is killed have them too${hindrance}`,
  { timeout: 240_000, tags: 'full' },
  async () => {
    const cluster = await startPostgresCluster()
    onTestFinished(() => cluster.stop())
    await expectCountedOnce({ serverCount: 2, databaseUrl: await cluster.createDatabase('traces') })
  },
)

it(
  'a request of OpenTelemetry is stored completely or not at all by a killed server',
  { timeout: 240_000, tags: 'full' },
  async () => {
    await expectStoredWhole({ serverCount: 1 })
  },
)

it.skipIf(hindrance !== '')(
  `a request of OpenTelemetry is stored whole or not at all by two servers on PostgreSQL of which one is killed${hindrance}`,
  { timeout: 240_000, tags: 'full' },
  async () => {
    const cluster = await startPostgresCluster()
    onTestFinished(() => cluster.stop())
    await expectStoredWhole({ serverCount: 2, databaseUrl: await cluster.createDatabase('exports') })
  },
)

async function expectStoredWhole(installation: Installation): Promise<void> {
  const { store, sent } = await killServers({ ...installation, answersPerKill: 50 }, sendExport)
  const counts = await readSpanCounts(store)
  expect(new Set(counts.values())).toEqual(new Set([exportedSpans]))
  expect([...sent.acknowledged].filter((traceId) => !counts.has(requestOf(traceId)))).toEqual([])
}

/**
 * The stored spans of each request. What a busy machine cannot process in time is stored as dead letters,
 * from which an owner can have it processed again.
 */
async function readSpanCounts({ db }: Store): Promise<Map<string, number>> {
  const segments = await db
    .selectFrom('trace_segments')
    .select((of) => [hexOf(of.ref('trace_id')).as('traceId'), 'span_count as spanCount'])
    .execute()
  const letters = await db.selectFrom('dead_letters').select('payload').execute()
  const lateSpans = letters.flatMap(({ payload }) => {
    const { items } = JSON.parse(Buffer.from(payload).toString()) as { items: { trace_id: string }[] }
    return items.map(({ trace_id }) => ({ traceId: trace_id, spanCount: 1 }))
  })
  const counts = new Map<string, number>()
  for (const { traceId, spanCount } of [...segments, ...lateSpans])
    counts.set(requestOf(traceId), (counts.get(requestOf(traceId)) ?? 0) + spanCount)
  return counts
}

interface Installation {
  serverCount: number
  /** Requests that are answered before each kill. */
  answersPerKill?: number
  databaseUrl?: string
}

/** Trace ids by result. */
interface Sent {
  acknowledged: Set<string>
  /** Without an answer: either stored or not. */
  unknown: Set<string>
}

async function expectCountedOnce(installation: Installation): Promise<void> {
  const { store, sent } = await killServers(installation, sendTransaction)
  await expectEqual(store, sent)
}

/** Sends a trace. */
type Send = (origin: string, traceId: string) => Promise<Response>

async function killServers({ serverCount, databaseUrl, answersPerKill = 200 }: Installation, send: Send) {
  const dataDir = await makeTestFolder()
  const variables: Record<string, string> = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  await addFixtureProject(dataDir, variables)
  const start = () => startServerProcess({ dataDir, variables })
  const servers = await Promise.all(Array.from({ length: serverCount }, start))
  const sent: Sent = { acknowledged: new Set(), unknown: new Set() }
  const end = new AbortController()
  const clients = Array.from({ length: clientCount }, (_, number) =>
    sendUntil(end.signal, { sent, send, serverOf: () => servers[number % servers.length] }),
  )
  for (let kill = 1; kill <= killCount; kill += 1) {
    await expect
      .poll(() => sent.acknowledged.size, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(kill * answersPerKill)
    const victim = servers.shift()
    await victim?.end('SIGKILL')
    servers.push(await start())
  }
  end.abort()
  await Promise.all(clients)
  // Deltas of the killed servers are counted by those that stop normally.
  for (const server of servers) expect(await server.end('SIGTERM')).toBe(0)
  const store = await openStore({ path: databaseUrl ?? join(dataDir, 'culvert.db') })
  onTestFinished(() => store.close())
  return { store, sent }
}

interface Client {
  sent: Sent
  send: Send
  serverOf: () => ServerProcess | undefined
}

async function sendUntil(signal: AbortSignal, { sent, send, serverOf }: Client) {
  while (!signal.aborted) {
    const traceId = randomEventId()
    try {
      const answer = await send(serverOf()?.origin ?? '', traceId)
      await answer.arrayBuffer()
      if (answer.status === 200) sent.acknowledged.add(traceId)
      else await pause(retryMs)
    } catch {
      sent.unknown.add(traceId)
      // A new process needs seconds to listen, and must not be starved by attempts.
      await pause(reconnectMs)
    }
  }
}

const spanId = () => randomBytes(8).toString('hex')

function sendTransaction(origin: string, traceId: string): Promise<Response> {
  const rootId = spanId()
  const seconds = Date.now() / 1000
  const spans = Array.from({ length: childCount }, (_, at) => ({
    span_id: spanId(),
    parent_span_id: rootId,
    trace_id: traceId,
    op: 'db',
    description: `SELECT * FROM t${at} WHERE id = 1`,
    start_timestamp: seconds - 1,
    timestamp: seconds,
  }))
  const transaction = {
    transaction: `job ${Number.parseInt(traceId.slice(0, 4), 16) % nameCount}`,
    start_timestamp: seconds - Number.parseInt(traceId.slice(4, 8), 16) / 1000,
    timestamp: seconds,
    release: `shop@${Number.parseInt(traceId.slice(8, 9), 16)}`,
    contexts: { trace: { trace_id: traceId, span_id: rootId, op: 'task', status: 'ok' } },
    spans,
  }
  return postEnvelope(
    origin,
    `{"event_id":"${traceId}"}\n{"type":"transaction"}\n${JSON.stringify(transaction)}`,
  )
}

/** Spans of two traces, which are processed one after the other. */
function sendExport(origin: string, traceId: string): Promise<Response> {
  const { id, publicKey } = fixtureProject
  const nanos = `${BigInt(Date.now()) * 1_000_000n}`
  const spans = Array.from({ length: exportedSpans }, (_, at) => ({
    traceId: `${at % 2 === 0 ? 'a' : 'b'}${requestOf(traceId)}`,
    spanId: spanId(),
    name: 'span',
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
  }))
  return fetch(`${origin}/api/${id}/integration/otlp/v1/traces`, {
    method: 'POST',
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    headers: { 'content-type': 'application/json', 'x-sentry-auth': `sentry sentry_key=${publicKey}` },
  })
}

async function expectEqual({ db }: Store, { acknowledged, unknown }: Sent): Promise<void> {
  const segments = await db
    .selectFrom('trace_segments')
    .select((of) => [hexOf(of.ref('trace_id')).as('traceId'), 'duration_us as durationUs'])
    .execute()
  const stored = new Set(segments.map(({ traceId }) => traceId))
  expect(stored.size).toBe(segments.length)
  expect([...acknowledged.difference(stored)]).toEqual([])
  expect([...stored.difference(acknowledged.union(unknown))]).toEqual([])
  expect(await db.selectFrom('figure_deltas').select('id').execute()).toEqual([])
  const count = segments.length
  const durations = segments.reduce((sum, { durationUs }) => sum + durationUs, 0)
  const rows = await db.selectFrom('figures').select(['series', 'step', 'value_count', 'value_sum']).execute()
  const sums = new Map<string, { count: number; sum: number }>()
  for (const row of rows) {
    const key = `${row.series} ${row.step}`
    const { count: counted, sum } = sums.get(key) ?? { count: 0, sum: 0 }
    sums.set(key, { count: counted + row.value_count, sum: sum + row.value_sum })
  }
  for (const key of ['transaction minute', 'transaction hour', 'transaction day', 'release hour'])
    expect({ key, ...sums.get(key) }).toEqual({ key, count, sum: durations })
  for (const key of ['span hour', 'span day', 'group hour', 'group day'])
    expect({ key, ...sums.get(key) }).toMatchObject({ key, count: count * childCount })
}
