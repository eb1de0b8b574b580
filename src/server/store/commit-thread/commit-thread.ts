/**
 * The commit thread: its own connection to the database file and its own committer, controlled by
 * `createThreadCommitter`. It behaves like another process on the same file.
 */
import { parentPort, workerData } from 'node:worker_threads'
import * as v from 'valibot'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { openStore } from '#server/store/store.ts'
import { WorkerServer } from '#server/worker-channel.ts'
import { toEntryReply, unpackEntries } from './commit-message.ts'
import type { CommitNotice, CommitRequest, PackedEntries, EntryReply } from './commit-message.ts'

if (parentPort === null) throw new Error('the commit thread is started by createThreadCommitter')
const StoreData = v.object({
  path: v.string(),
  bounds: v.object({ outboxBytes: v.number(), attachmentBytes: v.number() }),
})

const store = await openStore(v.parse(StoreData, workerData))
const committer = createCommitter(store, { error: (fields, message) => server.notify({ fields, message }) })

const server = new WorkerServer<CommitRequest, EntryReply[], CommitNotice>(parentPort, async (request) => {
  if (request.kind === 'commit') return commit(request.entries)
  await committer.drain()
  if (request.kind === 'close') await store.close()
  return []
})

async function commit(packed: PackedEntries): Promise<EntryReply[]> {
  const settled = await Promise.allSettled(unpackEntries(packed).map((entry) => committer.commit(entry)))
  // Frees the payloads immediately. The garbage collector sees only small objects and would let them
  // accumulate.
  packed.payloads.buffer.transfer(0)
  return settled.map(toEntryReply)
}
