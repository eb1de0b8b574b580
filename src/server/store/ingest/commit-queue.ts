import { limits } from '#server/limits.ts'
import { StoreUnavailableError } from '#server/store/errors.ts'
import type { CommitResult, CommitWork } from './records.ts'
import { listProjectIds } from './work-projects.ts'

/** A work in the queue. */
export interface PendingWork {
  work: CommitWork
  /**
   * By the monotonic clock. While another process holds the lock, the work is rejected after
   * `limits.storeBusyMs`.
   */
  enqueuedAt: number
  resolve: (result: CommitResult) => void
  reject: (error: Error) => void
  /** The projects of the work; set on first use. */
  projectIds?: readonly number[]
}

/** True if a work writes only rows of these projects. */
export function isOf(pending: PendingWork, projectIds: ReadonlySet<number>): boolean {
  return projectsOf(pending).every((id) => projectIds.has(id))
}

/** The projects whose rows a work writes. */
export function projectsOf(pending: PendingWork): readonly number[] {
  pending.projectIds ??= listProjectIds(pending.work)
  return pending.projectIds
}

/** Rejects works that have waited for too long. Returns whether any work is left. */
export function isAnyStillWaiting(queue: PendingWork[]): boolean {
  const givesUpAt = performance.now() - limits.storeBusyMs
  while (queue[0] !== undefined && queue[0].enqueuedAt <= givesUpAt)
    queue.shift()?.reject(new StoreUnavailableError('BUSY'))
  return queue.length > 0
}

/**
 * Dequeues works up to the limits of one transaction, at least one. With `projectIds`, dequeues only works of
 * these projects, possibly none.
 */
export function takeBatch(queue: PendingWork[], projectIds?: ReadonlySet<number>): PendingWork[] {
  const left: PendingWork[] = []
  const batch: PendingWork[] = []
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
    const { work } = pending
    const reportCount = work.sessions?.reduce((sum, { reports }) => sum + reports.length, 0) ?? 0
    eventCount += Math.max(1, work.events.length + (work.traces?.length ?? 0) + reportCount)
    payloadBytes += payloadBytesOf(work)
    const isFull = eventCount > limits.eventsPerCommit || payloadBytes > limits.commitPayloadBytes
    if (batch.length > 0 && isFull) break
    batch.push(pending)
  }
  queue.splice(0, at, ...left)
  return batch
}

function payloadBytesOf(work: CommitWork): number {
  const {
    events,
    deadLetters,
    samples = [],
    attachments = [],
    traces = [],
    outbox = [],
    deliveryResults = [],
  } = work
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
