import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { openTestStore, testId, testNow } from '#test/test-store.ts'
import { toStoreBounds } from './bounds.ts'
import { createCommitter } from './ingest/committer.ts'
import { listUpstreamStatuses } from './upstreams/status.ts'
import { createUpstream } from './upstreams/upstreams.ts'

const megabyte = 1_000_000

describe('the bounds of a project’s stored data', () => {
  it('are a tenth of the database’s limit, and never more than their own limit', () => {
    expect(toStoreBounds(100 * megabyte)).toEqual({
      outboxBytes: 10 * megabyte,
      attachmentBytes: 10 * megabyte,
    })
    expect(toStoreBounds(10 ** 15)).toEqual({
      outboxBytes: limits.outboxBytes,
      attachmentBytes: limits.attachmentBytesPerProject,
    })
    expect(toStoreBounds(limits.retentionBytes).outboxBytes).toBe(limits.outboxBytes)
  })

  it('apply to the outbox of an upstream: the oldest envelopes are discarded', async () => {
    const store = await openTestStore({ bounds: toStoreBounds(megabyte) })
    const dsn = parseDsn(`http://${'a'.repeat(32)}@up.example/7`)
    const created = dsn && (await createUpstream(store, { projectId: 1, dsn }))
    const upstreamId = created?.outcome === 'created' ? created.upstreamId : ''
    const committer = createCommitter(store)
    for (let index = 0; index < 8; index += 1) {
      const entry = {
        projectId: 1,
        upstreamId,
        category: 'error',
        receivedAt: testNow,
        body: randomBytes(30_000),
      }
      await committer.commit({ events: [], outcomes: [], deadLetters: [], outbox: [entry] })
    }
    const [status] = await listUpstreamStatuses(store.db, [1])
    expect(status).toMatchObject({ waitingCount: 3, waitingBytes: 90_000, droppedCount: 5 })
  })

  it('apply to the attachments of a project: further ones are too large', async () => {
    const store = await openTestStore({ bounds: toStoreBounds(megabyte) })
    const committer = createCommitter(store)
    for (let index = 0; index < 5; index += 1) {
      const data = randomBytes(40_000)
      const attachment = {
        projectId: 1,
        eventId: testId(`event ${index}`),
        name: 'core',
        contentType: 'x/y',
        kind: 'event.attachment',
        receivedAt: testNow,
        byteCount: data.byteLength,
        contentHash: testId(`hash ${index}`),
        data,
      }
      await committer.commit({ events: [], outcomes: [], deadLetters: [], attachments: [attachment] })
    }
    const outcomes = store.connection.prepare(
      'SELECT outcome, reason, quantity FROM outcome_hours ORDER BY outcome',
    )
    expect(outcomes.all()).toEqual([
      { outcome: 'accepted', reason: '', quantity: 2 },
      { outcome: 'invalid', reason: 'too_large', quantity: 3 },
    ])
  })
})
