import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { listProjectNames } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { ensureShopProjects, runCulvert } from './projects.ts'

/**
 * Adds upstreams in different states and dead letters to the demo's projects, for the screenshots of the
 * documentation: `node demo/upstreams.ts` before the demo, and until the pictures are taken. It runs the
 * upstreams itself, on this machine, so the server has to run with `CULVERT_ALLOW_PRIVATE_UPSTREAMS=1`, and
 * both with the same `CULVERT_DATA_DIR`.
 */

const publicKey = 'd'.repeat(32)
/** The successive responses of a failing upstream, before it rate-limits. */
const rejections = [403, 413, 400, 403, 403, 413]

async function main(): Promise<void> {
  await ensureShopProjects()
  const takesAll = await play((_request, response) => response.end('{}'))
  await addUpstream('shop-api', 'o4507.ingest.us.sentry.io/42', takesAll)
  await addUpstream('shop-api', 'errors.shop.example/1', takesAll)
  await runCulvert(['upstream', 'pause', 'shop-api', `http://${publicKey}@errors.shop.example/1`])
  let count = 0
  const rejectsSome = await play((_request, response) => {
    count += 1
    const status = count % 3 === 0 ? (rejections.shift() ?? 429) : 200
    response.writeHead(status, status === 429 ? { 'x-sentry-rate-limits': '2700:error:project:quota' } : {})
    response.end()
  })
  await addUpstream('shop-web', 'sentry.shop.example/7', rejectsSome)
  // No server listens on port 9.
  await addUpstream('shop-worker', 'glitchtip.shop.example/3', '127.0.0.1:9')
  await addDeadLetters()
  console.log('The upstreams answer. Run the demo now; stop with Ctrl-C.')
}

/** Starts one and returns its HOST:PORT. */
async function play(answer: RequestListener): Promise<string> {
  const server = createServer((request, response) =>
    request.resume().on('end', () => answer(request, response)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  return `127.0.0.1:${typeof bound === 'object' ? bound?.port : bound}`
}

/** Over plain HTTP, because there are no certificates for these names. */
async function addUpstream(slug: string, place: string, connect: string): Promise<void> {
  await runCulvert(['upstream', 'add', slug, `http://${publicKey}@${place}`, '--connect', connect])
}

const letters = [
  ['event', 'Maximum call stack size exceeded', '{"exception":{"values":[{"type":"RangeError"}]}}', 9],
  ['event', "Cannot read properties of undefined (reading 'frames')", '{"stacktrace":null}', 46],
  ['feedback', 'invalid input syntax: unexpected end of JSON input', '{"contexts":{"feedback":{}}}', 340],
] as const

async function addDeadLetters(): Promise<void> {
  const dataDir = process.env['CULVERT_DATA_DIR'] ?? 'data'
  const store = await openStore({ path: join(dataDir, 'culvert.db'), clock: Date.now })
  try {
    await commitDeadLetters(store)
  } finally {
    await store.close()
  }
}

async function commitDeadLetters(store: Store): Promise<void> {
  const projects = await listProjectNames(store.db)
  const project = projects.find(({ slug }) => slug === 'shop-web')
  if (project === undefined) return
  const committer = createCommitter(store)
  await committer.commit({
    events: [],
    outcomes: [],
    deadLetters: letters.map(([itemType, reason, payload, minutesAgo]) => ({
      projectId: project.id,
      itemType,
      category: itemType === 'event' ? 'error' : itemType,
      reason,
      receivedAt: Date.now() - minutesAgo * 60_000,
      payload: Buffer.from(payload),
    })),
  })
  await committer.close()
}

await main()
