/**
 * The committing thread: its own connection to the database file and its own committer, told what to commit
 * by `createThreadCommitter`. To the rest of the process it is what another process on the same file would
 * be.
 */
import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { openStore } from '#server/store/store.ts'
import { toWorkReply, unpackWorks } from './commit-message.ts'
import type { CommitReply, CommitRequest, PackedWorks } from './commit-message.ts'

if (parentPort === null) throw new Error('the committing thread is started by createThreadCommitter')
const port = parentPort
const StoreData = v.object({
  path: v.string(),
  bounds: v.object({ outboxBytes: v.number(), attachmentBytes: v.number() }),
})

const store = await openStore({ ...v.parse(StoreData, workerData), clock: Date.now })
const committer = createCommitter(store, {
  error: (fields, message) => reply({ kind: 'error', fields, message }),
})

port.on('message', (request: CommitRequest) => {
  switch (request.kind) {
    case 'commit':
      void commit(request.number, request.works)
      break
    case 'drain':
      void committer.drain().then(() => reply({ kind: 'drained', number: request.number }))
      break
    case 'close':
      void close()
      break
  }
})

async function commit(number: number, packed: PackedWorks): Promise<void> {
  const settled = await Promise.allSettled(unpackWorks(packed).map((work) => committer.commit(work)))
  reply({ kind: 'committed', number, results: settled.map(toWorkReply) })
  // Frees the payloads now: left to the collector, which sees small objects only, they would pile up.
  packed.payloads.buffer.transfer(0)
}

async function close(): Promise<void> {
  await committer.drain()
  await store.close()
  port.close()
}

function reply(message: CommitReply): void {
  port.postMessage(message)
}
