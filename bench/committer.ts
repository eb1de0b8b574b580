/**
 * CPU and time per event of the committer alone, without HTTP, normalizing and grouping: batches of 64 events
 * of about 6 kB, 200 issues of which the first gets an eighth of the traffic, 5 projects, 18 tags, one user
 * per event.
 *
 * Two baselines are measured in the same run, because both machine and disk may be busy: the CPU of
 * compressing the same payloads, which every design needs, and an fsync.
 *
 * npm run bench -- committer [events] [batch] [writers]
 *
 * Several writers commit to the same database alternately, like processes behind a load balancer.
 *
 * With `DATABASE_URL` it writes to that PostgreSQL database, which must be empty and on this machine, and
 * prints the CPU of the server's processes, the bytes of write-ahead log, and the round trips of a batch.
 */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { countRoundTrips } from './committer/round-trips.ts'
import { commitEvents } from './support/commit-events.ts'
import { createRandom } from './support/random.ts'
import { createServerMeter } from './support/server-meter.ts'

const eventCount = Number(process.argv[3] ?? 50_000)
const batchSize = Number(process.argv[4] ?? 64)
const writerCount = Number(process.argv[5] ?? 1)
const databaseUrl = process.env['DATABASE_URL']
const folder = await createTempDir()

const random = createRandom(7)
const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`)
const urls = numbered('https://shop.example/category/item', 300)
const users = numbered('id', 20_000)
const releases = numbered('web@1.4', 24)
const browsers = ['Firefox 143', 'Chrome 142', 'Chrome 141', 'Safari 19', 'Edge 142']
const systems = ['Windows 11', 'macOS 26', 'Android 16', 'iOS 19', 'Linux']
const words = numbered('node_modules/framework/dist/chunk', 400)

try {
  await measure()
} finally {
  await folder.remove()
}

async function measure(): Promise<void> {
  const path = databaseUrl ?? join(folder.path, 'culvert.db')
  const stores: Store[] = []
  while (stores.length < writerCount) stores.push(await openStore({ path, clock: Date.now }))
  const [store] = stores
  if (store === undefined) throw new Error('at least one writer is needed')
  for (let id = 1; id <= 5; id += 1) await createProject(store, { name: `Project ${id}`, id })
  const committers = stores.map((each) => createCommitter(each))
  const commit = (events: EventRecord[], at = 0) =>
    commitEvents(committers[at % writerCount] ?? createCommitter(store), events)
  for (const [at] of stores.entries()) await commit(makeEvents(2_000), at)
  let cpuMicros = 0
  let floorMicros = 0
  let systemMicros = 0
  let wallMs = 0
  const server = databaseUrl === undefined ? undefined : await createServerMeter(databaseUrl)
  const serverBefore = await server?.read()
  const countAll = () => stores.reduce((sum, each) => sum + countRoundTrips(each), 0)
  const roundTripsBefore = countAll()
  const batchMs: number[] = []
  for (let done = 0; done < eventCount; done += batchSize) {
    const events = makeEvents(batchSize)
    const cpu = process.cpuUsage()
    const startedAt = performance.now()
    await commit(events, done / batchSize)
    const tookMs = performance.now() - startedAt
    const used = process.cpuUsage(cpu)
    cpuMicros += used.user + used.system
    floorMicros += measureCompressionMicros(events)
    systemMicros += used.system
    wallMs += tookMs
    batchMs.push(tookMs)
  }
  const serverAfter = await server?.read()
  const roundTrips = countAll() - roundTripsBefore
  await server?.close()
  for (const each of stores) await each.close()
  const sorted = batchMs.toSorted((one, other) => one - other)
  const atQuantile = (quantile: number) => (sorted[Math.floor(sorted.length * quantile)] ?? 0).toFixed(2)
  console.log(`${eventCount} events in batches of ${batchSize}, ${writerCount} writers`)
  console.log(
    `CPU per event   ${(cpuMicros / eventCount).toFixed(1)} µs, of it ${(systemMicros / eventCount).toFixed(1)} in the kernel`,
  )
  console.log(`                ${(cpuMicros / floorMicros).toFixed(1)} times that of compressing its payload`)
  console.log(
    `time per event  ${((wallMs * 1000) / eventCount).toFixed(1)} µs (${Math.round(eventCount / (wallMs / 1000))}/s)`,
  )
  console.log(
    `batch           ${atQuantile(0.5)} ms p50, ${atQuantile(0.99)} ms p99, ${atQuantile(0.9999)} ms max`,
  )
  console.log(`fsync floor     ${measureFsyncMs().toFixed(2)} ms`)
  if (serverBefore === undefined || serverAfter === undefined) {
    const bytes = statSync(join(folder.path, 'culvert.db')).size
    console.log(`file per event  ${Math.round(bytes / eventCount)} B`)
    return
  }
  const serverMicros = serverAfter.cpuMicros - serverBefore.cpuMicros
  console.log(`PostgreSQL      ${(serverMicros / eventCount).toFixed(1)} µs of CPU per event`)
  console.log(`together        ${((cpuMicros + serverMicros) / eventCount).toFixed(1)} µs of CPU per event`)
  console.log(`log per event   ${Math.round((serverAfter.walBytes - serverBefore.walBytes) / eventCount)} B`)
  console.log(`round trips     ${((roundTrips * batchSize) / eventCount).toFixed(1)} per batch`)
}

function measureCompressionMicros(events: EventRecord[]): number {
  const cpu = process.cpuUsage()
  const payloads = Buffer.concat(events.map((event) => event.payload))
  zstdCompressSync(payloads, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  const used = process.cpuUsage(cpu)
  return used.user + used.system
}

function measureFsyncMs(): number {
  const file = openSync(join(folder.path, 'floor'), 'w')
  const block = Buffer.alloc(65_536)
  const rounds = 100
  const startedAt = performance.now()
  for (let round = 0; round < rounds; round += 1) {
    writeSync(file, block)
    fsyncSync(file)
  }
  closeSync(file)
  return (performance.now() - startedAt) / rounds
}

function makeEvents(count: number): EventRecord[] {
  return Array.from({ length: count }, makeEvent)
}

function makeEvent(): EventRecord {
  // Like Zipf's law: the first of 200 issues gets an eighth.
  const issue = Math.floor(200 ** random()) - 1
  const user = pick(users)
  const url = pick(urls)
  const release = pick(releases)
  const eventId = hex()
  const payload = Buffer.from(JSON.stringify(makePayload({ eventId, issue, user, url, release })))
  return {
    projectId: (issue % 5) + 1,
    eventId,
    category: 'error',
    groupHash: createHash('md5').update(`issue ${issue}`).digest('hex'),
    mechanism: 'v1',
    type: 'error',
    title: `TypeError ${issue}`,
    subtitle: `Cannot read properties of undefined (reading '${issue}')`,
    culprit: `render(chunk-${issue}.js)`,
    level: 'error',
    platform: 'javascript',
    occurredAt: Date.now(),
    receivedAt: Date.now(),
    environment: random() < 0.9 ? 'production' : 'staging',
    release,
    traceId: hex(),
    userKey: user,
    clientAddress: '203.0.113.7',
    tags: makeTags({ user, url, release }),
    payload,
  }
}

function makeTags({ user, url, release }: Omit<PayloadParts, 'eventId' | 'issue'>): [string, string][] {
  const browser = pick(browsers)
  const system = pick(systems)
  return [
    ['level', 'error'],
    ['release', release],
    ['handled', pick(['yes', 'no'])],
    ['mechanism', 'onerror'],
    ['url', url],
    ['transaction', url.slice(0, 40)],
    ['user', user],
    ['browser', browser],
    ['browser.name', browser.split(' ')[0] ?? ''],
    ['os', system],
    ['os.name', system.split(' ')[0] ?? ''],
    ['server_name', pick(['web-1', 'web-2', 'web-3', 'web-4'])],
    ['runtime', 'node v24.21.0'],
    ['runtime.name', 'node'],
    ['customer', pick(['free', 'team', 'business'])],
    ['region', pick(['eu', 'us'])],
    ['feature', pick(['search', 'cart', 'checkout'])],
  ]
}

interface PayloadParts {
  eventId: string
  issue: number
  user: string
  url: string
  release: string
}

function makePayload({ eventId, issue, user, url, release }: PayloadParts) {
  return {
    event_id: eventId,
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    release,
    user: { id: user },
    request: { url, headers: { 'User-Agent': `Mozilla/5.0 ${pick(browsers)} ${pick(systems)}` } },
    exception: {
      values: [
        {
          type: `TypeError ${issue}`,
          value: `Cannot read properties of undefined (reading '${issue}')`,
          stacktrace: {
            frames: Array.from({ length: 9 }, (_, index) => ({
              filename: words[(issue * 7 + index * 13) % words.length],
              function: `step${issue * 3 + index}`,
              lineno: issue * 11 + index,
              colno: index * 5,
              in_app: index % 2 === 0,
              context_line: `  const value${issue} = read(options.${words[(issue + index) % words.length]}, fallback)`,
              pre_context: ['  if (options === undefined) return', '  for (const entry of entries) {'],
            })),
          },
        },
      ],
    },
    breadcrumbs: Array.from({ length: 15 }, () => ({
      timestamp: Date.now() / 1000 - random() * 60,
      category: pick(['ui.click', 'fetch', 'navigation', 'console']),
      message: `${pick(words)} ${hex().slice(0, 8)}`,
      data: { status_code: pick([200, 204, 404, 500]), url: pick(urls) },
    })),
  }
}

function hex(): string {
  let text = ''
  while (text.length < 32)
    text += Math.floor(random() * 0x100000000)
      .toString(16)
      .padStart(8, '0')
  return text
}
