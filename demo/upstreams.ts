import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { ensureShopProjects, runCulvert } from './projects.ts'

/**
 * Adds upstreams in different states to the demo's projects, for a picture of the documents: `node
 * demo/upstreams.ts` before the demo, and until the pictures are taken. It runs the upstreams itself, on this
 * machine, so the server has to run with `CULVERT_ALLOW_PRIVATE_UPSTREAMS=1`, and both with the same
 * `CULVERT_DATA_DIR`.
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

await main()
