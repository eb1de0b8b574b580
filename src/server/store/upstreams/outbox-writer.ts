import type {
  OutboxEntry,
  OutcomeCount,
  DeliveryResult,
  UpstreamReference,
} from '#server/store/ingest/records.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import { deflateOutboxBlock, toOutboxBlocks, type OutboxBlock } from './outbox-block.ts'
import type { OutboxStatements } from './outbox-statements.ts'

/**
 * Appends envelopes to the queues of their upstreams, in the given order, and drops the oldest envelopes of a
 * queue while it exceeds `maxBytes`. Call inside the transaction that commits the items of the envelopes.
 * Returns the dropped envelopes.
 */
export function writeOutboxEntries(
  statements: IngestStatements,
  entries: readonly OutboxEntry[],
  maxBytes: number,
): OutcomeCount[] {
  return [...Map.groupBy(entries, toKey).values()].flatMap((queue) =>
    writeToQueue(statements, queue, maxBytes),
  )
}

function writeToQueue(
  statements: IngestStatements,
  queue: readonly OutboxEntry[],
  maxBytes: number,
): OutcomeCount[] {
  const [first] = queue
  if (first === undefined) return []
  const { projectId, upstreamId } = first
  const byteCount = queue.reduce((sum, { body }) => sum + body.byteLength, 0)
  const taken = statements.takeOutboxNumbers.get(queue.length, byteCount, projectId, upstreamId)
  // The upstream was removed after the envelopes were read.
  if (taken === undefined) return queue.map((entry) => toLoss(entry, 'upstream_removed'))
  const firstNumber = Number(taken['last_number']) - queue.length + 1
  const numbered = queue.map((entry, at) => ({ number: firstNumber + at, entry }))
  for (const block of toOutboxBlocks(numbered)) writeBlock(statements, block)
  return dropOldest(statements, first, { heldBytes: Number(taken['held_bytes']), maxBytes })
}

function writeBlock(statements: IngestStatements, block: OutboxBlock): void {
  const [first, last] = [block.entries[0], block.entries.at(-1)]
  if (first === undefined || last === undefined) return
  const { projectId, upstreamId } = first.entry
  const data = deflateOutboxBlock(block)
  statements.insertOutboxBlock.run(projectId, upstreamId, first.number, last.number, block.rawBytes, data)
  let offset = 0
  for (const { number, entry } of block.entries) {
    const { category, receivedAt, clientAddress, userAgent, body } = entry
    statements.insertOutbox.run(
      projectId,
      upstreamId,
      number,
      category,
      receivedAt,
      clientAddress ?? null,
      userAgent ?? null,
      body.byteLength,
      first.number,
      offset,
    )
    offset += body.byteLength
  }
}

function dropOldest(
  statements: IngestStatements,
  entry: OutboxEntry,
  { heldBytes, maxBytes }: { heldBytes: number; maxBytes: number },
): OutcomeCount[] {
  const lost: OutcomeCount[] = []
  let bytes = heldBytes
  while (bytes > maxBytes) {
    const dropped = dropOldestEnvelope(statements, entry)
    if (dropped === undefined) break
    bytes -= dropped.byteCount
    lost.push(toLoss({ ...entry, category: dropped.category }, outboxFullReason))
  }
  return lost
}

/** The outcome's reason for an envelope that was dropped because its queue was too large. */
export const outboxFullReason = 'upstream_full'

/**
 * Drops the oldest envelope of a queue, including rejected ones. The caller counts the loss. Returns
 * undefined if the queue is empty.
 */
export function dropOldestEnvelope(
  statements: OutboxStatements,
  upstream: UpstreamReference,
): { category: string; byteCount: number } | undefined {
  const row = statements.deleteOldestOutbox.get(upstream.projectId, upstream.upstreamId)
  if (row === undefined) return undefined
  const byteCount = Number(row['byte_count'])
  const hadFailed = row['failed_at'] !== null
  addToUpstream(statements, upstream, {
    ...nothing,
    ...(hadFailed
      ? { failedCount: -1, failedBytes: -byteCount }
      : { waitingCount: -1, waitingBytes: -byteCount }),
    droppedCount: 1,
  })
  return { category: String(row['category']), byteCount }
}

function toLoss({ projectId, category, receivedAt }: OutboxEntry, reason: string): OutcomeCount {
  return { projectId, category, outcome: 'undelivered', reason, quantity: 1, at: receivedAt }
}

/**
 * Deletes delivered envelopes from the outbox and stores rejected ones separately. Ignores envelopes that no
 * longer exist.
 */
export function writeDeliveryResults(
  statements: IngestStatements,
  deliveryResults: readonly DeliveryResult[],
): void {
  const changes = new Map<string, { upstream: UpstreamReference; change: UpstreamChange }>()
  for (const deliveryResult of deliveryResults) {
    const { projectId, upstreamId, number, rejected } = deliveryResult
    const key = toKey(deliveryResult)
    const known = changes.get(key) ?? { upstream: deliveryResult, change: { ...nothing } }
    const row =
      rejected === undefined
        ? statements.deleteOutbox.get(projectId, upstreamId, number)
        : statements.failOutbox.get(
            rejected.at,
            rejected.problem,
            rejected.body ?? null,
            projectId,
            upstreamId,
            number,
          )
    if (row === undefined) continue
    const byteCount = Number(row['byte_count'])
    known.change.waitingCount -= 1
    known.change.waitingBytes -= byteCount
    if (rejected === undefined) known.change.deliveredCount += 1
    else {
      known.change.failedCount += 1
      known.change.failedBytes += byteCount
    }
    changes.set(key, known)
  }
  for (const { upstream, change } of changes.values()) addToUpstream(statements, upstream, change)
}

function toKey({ projectId, upstreamId }: UpstreamReference): string {
  return `${projectId} ${upstreamId}`
}

interface UpstreamChange {
  waitingCount: number
  waitingBytes: number
  failedCount: number
  failedBytes: number
  deliveredCount: number
  droppedCount: number
}

const nothing: Readonly<UpstreamChange> = {
  waitingCount: 0,
  waitingBytes: 0,
  failedCount: 0,
  failedBytes: 0,
  deliveredCount: 0,
  droppedCount: 0,
}

function addToUpstream(
  statements: OutboxStatements,
  { projectId, upstreamId }: UpstreamReference,
  change: UpstreamChange,
): void {
  statements.addToUpstream.run(
    change.waitingCount,
    change.waitingBytes,
    change.failedCount,
    change.failedBytes,
    change.deliveredCount,
    change.droppedCount,
    projectId,
    upstreamId,
  )
}
