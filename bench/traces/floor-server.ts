/**
 * A lower bound for durable ingest of traces on this machine with these tools: bare node:http, JSON.parse of
 * the body, and one row for each request, with its body compressed like Culvert's, in group commit into a
 * separate file. No authentication, no checks, no scrubbing, no figures, no row for each trace. Prints its
 * address as the real server's log does.
 *
 * node bench/traces/floor-server.ts DATA_DIR
 */
import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createBlockIds } from '#server/store/events/body-block.ts'
import { prepareIngestStatements } from '#server/store/ingest/statements.ts'
import { openStore } from '#server/store/store.ts'
import { compressBody } from '#server/store/traces/segment-body.ts'
import { listenAndPrint } from '../support/listen-and-print.ts'

interface Waiting {
  body: Buffer
  response: ServerResponse
}

const store = await openStore({ path: join(process.argv[2] ?? '.', 'culvert.db'), clock: Date.now })
const { insertTraceSegment } = prepareIngestStatements(store)
const nextId = createBlockIds(Date.now)
const span = Buffer.alloc(8)
let queue: Waiting[] = []

function commit(): void {
  const batch = queue
  queue = []
  const now = Date.now()
  store.connection.exec('BEGIN IMMEDIATE')
  for (const { body } of batch) {
    const row = [
      2,
      nextId(),
      randomBytes(16),
      span,
      1,
      now,
      1_000,
      1,
      'pageload',
      '/',
      0,
      'production',
      null,
      now,
    ]
    insertTraceSegment.run(...row, compressBody(body), null)
  }
  store.connection.exec('COMMIT')
  for (const { response } of batch) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 })
    response.end('{}')
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const sent = Buffer.concat(chunks)
    const isEnvelope = request.headers['content-type'] === undefined
    const body = isEnvelope ? sent.subarray(sent.indexOf(0x0a, sent.indexOf(0x0a) + 1) + 1) : sent
    JSON.parse(body.toString())
    if (queue.push({ body, response }) === 1) setImmediate(commit)
  })
})

await listenAndPrint(server)
