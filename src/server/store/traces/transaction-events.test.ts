import { describe, expect, it } from 'vitest'
import { testId, testNow } from '#test/test-store.ts'
import { makeSegment, makeTraceRecord, openTraceStore } from '#test/trace-store.ts'
import { listTraceSegments } from './traces.ts'
import { findTraceById, findTransactionEvent } from './transaction-events.ts'

describe('a transaction', () => {
  const eventId = testId('the id of its event')
  const named = makeSegment('named', { eventId })
  const query = { id: eventId, projectIds: [1] }

  it('is found by its event id, in the projects of the viewer', async () => {
    const { store, commitTraces } = await openTraceStore()
    await commitTraces([
      makeTraceRecord(named),
      makeTraceRecord(makeSegment('other', { eventId: testId('other') })),
    ])
    expect(await findTransactionEvent(store.db, query)).toMatchObject({
      project: { id: 1 },
      receivedAt: testNow,
      segment: named,
    })
    expect(await findTransactionEvent(store.db, { ...query, projectIds: [2] })).toBeUndefined()
    const { segments } = await listTraceSegments(store.db, { traceId: named.traceId, projectIds: [1] })
    expect(segments.map(({ segment }) => segment.eventId)).toEqual([eventId])
  })

  it('leads to its trace by the beginning of its event id, unless a trace has the id', async () => {
    const { store, commitTraces } = await openTraceStore()
    await commitTraces([
      makeTraceRecord(named),
      makeTraceRecord(makeSegment('other', { eventId: named.traceId })),
      makeTraceRecord(makeSegment('without')),
    ])
    const find = (id: string) => findTraceById(store.db, { id, projectIds: [1] })
    const transaction = { traceId: named.traceId, spanId: named.spans[0].spanId }
    expect(await find(eventId)).toEqual(transaction)
    expect(await find(eventId.slice(0, 12))).toEqual(transaction)
    expect(await find(named.traceId)).toEqual({ traceId: named.traceId })
    expect(await find('0'.repeat(32))).toBeUndefined()
  })

  it('is not found when its body is damaged, or after its trace was deleted', async () => {
    const { store, commitTraces } = await openTraceStore()
    await commitTraces([makeTraceRecord(named)])
    store.connection.prepare('UPDATE trace_segments SET data = ?').run(Buffer.from('nonsense'))
    expect(await findTransactionEvent(store.db, query)).toBeUndefined()
    store.connection.exec('DELETE FROM trace_segments')
    expect(await findTransactionEvent(store.db, query)).toBeUndefined()
    expect(await findTraceById(store.db, query)).toBeUndefined()
  })
})
