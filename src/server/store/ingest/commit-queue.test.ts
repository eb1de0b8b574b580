import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { entryOf, makeEventRecord } from '#test/test-store.ts'
import { takeBatch, type QueuedEntry } from './commit-queue.ts'

/** A queue of one event per entry, and a function that dequeues a batch and returns the entries' indexes. */
function createQueue(...events: { payloadBytes?: number; projectId?: number }[]) {
  const entries = events.map(({ payloadBytes = 1, projectId = 1 }): QueuedEntry => {
    const entry = entryOf(makeEventRecord({ projectId, payload: new Uint8Array(payloadBytes) }))
    return { entry, enqueuedAt: 0, resolve: () => undefined, reject: () => undefined }
  })
  const queue = [...entries]
  return (projectIds?: ReadonlySet<number>) =>
    takeBatch(queue, projectIds).map((pending) => entries.indexOf(pending))
}

it('a batch ends before the entry that exceeds the payload bytes of a transaction', () => {
  const payloadBytes = limits.commitPayloadBytes / 2
  const take = createQueue({ payloadBytes }, { payloadBytes }, {})
  expect([take(), take(), take()]).toEqual([[0, 1], [2], []])
})

it('a single entry may be larger', () => {
  const take = createQueue({ payloadBytes: limits.commitPayloadBytes + 1 }, {})
  expect([take(), take()]).toEqual([[0], [1]])
})

it('a batch of some projects leaves the entries of the others in their order', () => {
  const take = createQueue({ projectId: 2 }, { projectId: 1 }, { projectId: 2 }, { projectId: 1 })
  expect([take(new Set([1])), take()]).toEqual([
    [1, 3],
    [0, 2],
  ])
})
