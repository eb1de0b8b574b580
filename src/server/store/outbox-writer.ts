import { limits } from '#server/limits.ts'
import type { OutboxEntry, OutcomeCount, Settlement, UpstreamReference } from './event-record.ts'
import type { IngestStatements } from './ingest-statements.ts'

/**
 * Puts an envelope last in the queue of its upstream, and drops the oldest of that queue while they are too much. Inside
 * the transaction that commits what the envelope brought. Returns what is lost by it.
 */
export function writeOutboxEntry(statements: IngestStatements, entry: OutboxEntry): OutcomeCount[] {
  const { projectId, upstreamId, lane, receivedAt, clientAddress, userAgent, body } = entry
  const taken = statements.takeOutboxNumber.get(body.byteLength, projectId, upstreamId)
  // Removed since the envelope was read.
  if (taken === undefined) return [toLoss(entry, 'upstream_removed')]
  statements.insertOutbox.run(
    projectId,
    upstreamId,
    Number(taken['last_number']),
    lane,
    receivedAt,
    clientAddress ?? null,
    userAgent ?? null,
    body.byteLength,
    body,
  )
  return dropOldest(statements, entry, Number(taken['held_bytes']))
}

function dropOldest(statements: IngestStatements, entry: OutboxEntry, heldBytes: number): OutcomeCount[] {
  const { projectId, upstreamId } = entry
  const lost: OutcomeCount[] = []
  let bytes = heldBytes
  while (bytes > limits.outboxBytes) {
    const row = statements.deleteOldestOutbox.get(projectId, upstreamId)
    if (row === undefined) break
    const byteCount = Number(row['byte_count'])
    const hadFailed = row['failed_at'] !== null
    bytes -= byteCount
    addToUpstream(statements, entry, {
      ...nothing,
      ...(hadFailed
        ? { failedCount: -1, failedBytes: -byteCount }
        : { waitingCount: -1, waitingBytes: -byteCount }),
      droppedCount: 1,
    })
    lost.push(toLoss({ ...entry, lane: String(row['lane']) }, 'upstream_full'))
  }
  return lost
}

function toLoss({ projectId, lane, receivedAt }: OutboxEntry, reason: string): OutcomeCount {
  return { projectId, category: lane, outcome: 'undelivered', reason, quantity: 1, at: receivedAt }
}

/** Takes delivered envelopes out of the outbox and sets refused ones aside. What is not there any more changes nothing. */
export function writeSettlements(statements: IngestStatements, settlements: readonly Settlement[]): void {
  const changes = new Map<string, { upstream: UpstreamReference; change: UpstreamChange }>()
  for (const settlement of settlements) {
    const { projectId, upstreamId, number, refused } = settlement
    const key = `${projectId} ${upstreamId}`
    const known = changes.get(key) ?? { upstream: settlement, change: { ...nothing } }
    const row =
      refused === undefined
        ? statements.deleteOutbox.get(projectId, upstreamId, number)
        : statements.failOutbox.get(refused.at, refused.problem, projectId, upstreamId, number)
    if (row === undefined) continue
    const byteCount = Number(row['byte_count'])
    known.change.waitingCount -= 1
    known.change.waitingBytes -= byteCount
    if (refused === undefined) known.change.deliveredCount += 1
    else {
      known.change.failedCount += 1
      known.change.failedBytes += byteCount
    }
    changes.set(key, known)
  }
  for (const { upstream, change } of changes.values()) addToUpstream(statements, upstream, change)
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
  statements: IngestStatements,
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
