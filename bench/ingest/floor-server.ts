/**
 * A lower bound for durable ingest on this machine with these tools: bare node:http, JSON.parse of the event,
 * and the inserts of the event row and the body block in group commit, into a separate file. No
 * authentication, no checks, no grouping, no counters. Prints its address as the real server's log does.
 *
 * node bench/ingest/floor-server.ts DATA_DIR
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createBlockBuilder, createBlockIds } from '#server/store/events/body-block.ts'
import { prepareIngestStatements } from '#server/store/ingest/statements.ts'
import { openStore } from '#server/store/store.ts'
import { listenAndPrint } from '../support/listen-and-print.ts'

interface Waiting {
  eventId: string
  payload: Buffer
  answer: () => void
}

const store = await openStore({ path: join(process.argv[2] ?? '.', 'culvert.db'), clock: Date.now })
const { insertEvent, insertBlock } = prepareIngestStatements(store)
const nextBlockId = createBlockIds(Date.now)
let queue: Waiting[] = []

function commit(): void {
  const batch = queue
  queue = []
  const blocks = createBlockBuilder(nextBlockId)
  const now = Date.now()
  store.connection.exec('BEGIN IMMEDIATE')
  for (const { eventId, payload } of batch) {
    const slot = blocks.slotFor(2, payload.byteLength)
    const id = Buffer.from(eventId, 'hex')
    insertEvent.run(
      2,
      id,
      1,
      slot.blockId,
      slot.offset,
      payload.byteLength,
      now,
      now,
      'error',
      'production',
      null,
      null,
      null,
      null,
    )
    slot.fill(payload)
  }
  for (const block of blocks.finish()) {
    insertBlock.run(block.projectId, block.id, block.eventCount, block.rawBytes, now, block.data)
  }
  store.connection.exec('COMMIT')
  for (const { answer } of batch) answer()
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
    const payload = body.subarray(body.indexOf(0x0a, body.indexOf(0x0a) + 1) + 1)
    const event: unknown = JSON.parse(payload.toString())
    const eventId = typeof event === 'object' && event !== null ? String(Reflect.get(event, 'event_id')) : ''
    const answer = () => {
      const text = `{"id":"${eventId}"}`
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
      response.end(text)
    }
    if (queue.push({ eventId, payload, answer }) === 1) setImmediate(commit)
  })
})

await listenAndPrint(server)
