import { limits } from '#server/limits.ts'
import { StoreUnavailableError } from '#server/store/errors.ts'
import { listProjectIds } from './entry-projects.ts'
import type { CommitResult, CommitEntry } from './records.ts'

/** An entry in the queue. */
export interface QueuedEntry {
  entry: CommitEntry
  /**
   * By the monotonic clock. While another process holds the lock, the entry is rejected after
   * `limits.storeBusyMs`.
   */
  enqueuedAt: number
  resolve: (result: CommitResult) => void
  reject: (error: Error) => void
  /** The projects of the entry; set on first use. */
  projectIds?: readonly number[]
}

/** True if an entry writes only rows of these projects. */
export function isOf(pending: QueuedEntry, projectIds: ReadonlySet<number>): boolean {
  return projectsOf(pending).every((id) => projectIds.has(id))
}

/** The projects whose rows an entry writes. */
export function projectsOf(pending: QueuedEntry): readonly number[] {
  pending.projectIds ??= listProjectIds(pending.entry)
  return pending.projectIds
}

/** Rejects entries that have waited for too long. Returns whether any entry is left. */
export function isAnyStillWaiting(queue: QueuedEntry[]): boolean {
  const givesUpAt = performance.now() - limits.storeBusyMs
  while (queue[0] !== undefined && queue[0].enqueuedAt <= givesUpAt)
    queue.shift()?.reject(new StoreUnavailableError('BUSY'))
  return queue.length > 0
}

/**
 * Dequeues entries up to the limits of one transaction, at least one. With `projectIds`, dequeues only
 * entries of these projects, possibly none.
 */
export function takeBatch(queue: QueuedEntry[], projectIds?: ReadonlySet<number>): QueuedEntry[] {
  const left: QueuedEntry[] = []
  const batch: QueuedEntry[] = []
  let eventCount = 0
  let payloadBytes = 0
  let at = 0
  for (; at < queue.length; at += 1) {
    const pending = queue[at]
    if (pending === undefined) break
    if (projectIds !== undefined && !isOf(pending, projectIds)) {
      left.push(pending)
      continue
    }
    const { entry } = pending
    const reportCount = entry.sessions?.reduce((sum, { reports }) => sum + reports.length, 0) ?? 0
    eventCount += Math.max(1, entry.events.length + (entry.traces?.length ?? 0) + reportCount)
    payloadBytes += payloadBytesOf(entry)
    const isFull = eventCount > limits.eventsPerCommit || payloadBytes > limits.commitPayloadBytes
    if (batch.length > 0 && isFull) break
    batch.push(pending)
  }
  queue.splice(0, at, ...left)
  return batch
}

function payloadBytesOf(entry: CommitEntry): number {
  const {
    events,
    deadLetters,
    samples = [],
    attachments = [],
    traces = [],
    outbox = [],
    deliveryResults = [],
  } = entry
  let bytes = 0
  for (const { payload } of events) bytes += payload.byteLength
  for (const { payload } of deadLetters) bytes += payload.byteLength
  for (const { payload } of samples) bytes += payload.byteLength
  for (const { data } of attachments) bytes += data.byteLength
  for (const { payload } of traces) bytes += payload.byteLength
  for (const { body } of outbox) bytes += body.byteLength
  for (const { rejected } of deliveryResults) bytes += rejected?.body?.byteLength ?? 0
  return bytes
}
