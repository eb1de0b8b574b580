import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseDsn } from '#protocol/dsn.ts'
import { limits } from '#server/limits.ts'
import { listUpstreamStatuses } from '#server/store/upstreams/status.ts'
import { createUpstream } from '#server/store/upstreams/upstreams.ts'
import { ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testId } from '#test/test-store.ts'

const megabyte = 1_000_000

/** Bytes that cannot be compressed. */
const noise = (bytes: number) => randomBytes(Math.ceil((bytes * 3) / 4)).toString('base64')

/** Project 2 with 40 small events that arrive first; then a flood for project 1. */
async function openSharedStore() {
  const kept = await openKeptStore()
  const small = Array.from({ length: 40 }, (_, index) => ({
    ...ofIssue(`small ${index % 8}`),
    projectId: 2,
    eventId: testId(`small ${index}`),
  }))
  for (const event of small) {
    await kept.receive({ ...event, occurredAt: kept.now() })
    kept.setNow(kept.now() + 1_000)
  }
  const floodEvents = async (count: number, bytes: number) => {
    for (let index = 0; index < count; index += 1) {
      await kept.receive({
        ...ofIssue(`flood ${index % 4}`),
        eventId: testId(`flood ${index}`),
        payload: Buffer.from(JSON.stringify({ event_id: testId(`flood ${index}`), data: noise(bytes) })),
      })
      kept.setNow(kept.now() + 100)
    }
  }
  return { ...kept, floodEvents, smallIds: small.map(({ eventId }) => eventId) }
}

type SharedStore = Awaited<ReturnType<typeof openSharedStore>>

async function floodOutbox({ store, commit, now }: SharedStore, count: number, bytes: number): Promise<void> {
  const dsn = parseDsn(`http://${'a'.repeat(32)}@up.example/7`)
  const created = dsn && (await createUpstream(store, { projectId: 1, dsn }))
  if (created?.outcome !== 'created') throw new Error('no upstream')
  const { upstreamId } = created
  for (let index = 0; index < count; index += 1) {
    const entry = { projectId: 1, upstreamId, category: 'error', receivedAt: now() }
    const outbox = [{ ...entry, body: Buffer.from(noise(bytes)) }]
    await commit({ events: [], outcomes: [], deadLetters: [], outbox })
  }
}

async function floodAttachments({ commit, now }: SharedStore, count: number, bytes: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const data = randomBytes(bytes)
    const attachment = {
      projectId: 1,
      eventId: testId(`file ${index}`),
      name: `core ${index}`,
      contentType: 'x/y',
      kind: 'event.attachment',
      receivedAt: now() + index,
      byteCount: bytes,
      contentHash: testId(`hash ${index}`),
      data,
    }
    await commit({ events: [], outcomes: [], deadLetters: [], attachments: [attachment] })
  }
}

async function floodDeadLetters({ commit, now }: SharedStore, count: number, bytes: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const letter = {
      projectId: 1,
      category: 'error',
      itemType: 'event',
      reason: 'broken',
      receivedAt: now() + index,
    }
    const payload = Buffer.from(noise(bytes))
    await commit({ events: [], outcomes: [], deadLetters: [{ ...letter, payload }] })
  }
}

describe('a flood of one project', () => {
  it('costs that project its own events, however old those of others are', async () => {
    const shared = await openSharedStore()
    await shared.floodEvents(400, 20_000)
    const report = await shared.retain({ maxBytes: 4 * megabyte })
    expect(report.space).toBe('within')
    expect(shared.keptIds(2)).toEqual(shared.smallIds)
    expect(shared.keptIds(1).length).toBeGreaterThan(50)
    expect([...report.projects.keys()]).toEqual([1])
    expect(findBrokenInvariants(shared.store)).toEqual([])
  })

  it('costs its oldest envelopes and files, and neither its own events nor those of others', async () => {
    const shared = await openSharedStore()
    await shared.floodEvents(30, 10_000)
    const ownIds = shared.keptIds(1)
    await floodOutbox(shared, 30, 200_000)
    await floodAttachments(shared, 30, 200_000)
    await floodDeadLetters(shared, 20, 100_000)
    const report = await shared.retain({ maxBytes: 8 * megabyte })
    expect(report.space).toBe('within')
    expect(shared.keptIds(2)).toEqual(shared.smallIds)
    expect(shared.keptIds(1)).toEqual(ownIds)
    const { outbox = 0, attachments = 0, deadLetters = 0 } = report.projects.get(1)?.rows ?? {}
    expect(outbox).toBeGreaterThan(10)
    expect(attachments).toBeGreaterThan(10)
    expect(deadLetters).toBeLessThan(2)
    expect(shared.count('outbox')).toBe(30 - outbox)
    const names = shared.store.connection.prepare('SELECT name FROM attachments ORDER BY received_at').all()
    expect(names.map(({ name }) => name)).toEqual(
      Array.from({ length: 30 - attachments }, (_, index) => `core ${attachments + index}`),
    )
    const [status] = await listUpstreamStatuses(shared.store.db, [1])
    expect(status).toMatchObject({ waitingCount: 30 - outbox, droppedCount: outbox })
    const losses = shared.store.connection
      .prepare("SELECT category, reason, quantity FROM outcome_hours WHERE outcome = 'undelivered'")
      .all()
    expect(losses).toEqual([{ category: 'error', reason: 'upstream_full', quantity: outbox }])
    expect(findBrokenInvariants(shared.store)).toEqual([])
  })

  it('keeps the last events of every project until nothing else is left', async () => {
    const shared = await openSharedStore()
    const used = () => shared.retain({ isDryRun: true }).then((report) => report.usedBytesBefore)
    const emptyBytes = await used()
    await shared.floodEvents(60, 20_000)
    await floodOutbox(shared, 10, 100_000)
    const maxBytes = (emptyBytes + 200_000) / (1 - limits.retentionFreeShare)
    const report = await shared.retain({ maxBytes })
    expect(await used()).toBeLessThan(emptyBytes + 400_000)
    expect(report.projects.get(1)?.rows?.outbox).toBeGreaterThan(0)
    expect(shared.keptIds(2).length).toBeGreaterThan(20)
    // Ids of a second run within the same millisecond could equal those of the first.
    shared.setNow(shared.now() + 1)
    const none = await shared.retain({ maxBytes: 1 })
    expect(none.space).toBe('exhausted')
    expect([shared.count('events'), shared.count('outbox'), shared.count('issues')]).toEqual([0, 0, 0])
    expect(findBrokenInvariants(shared.store)).toEqual([])
  })

  it('is estimated by a dry run, which deletes nothing', async () => {
    const shared = await openSharedStore()
    await shared.floodEvents(100, 20_000)
    await floodOutbox(shared, 30, 200_000)
    await floodAttachments(shared, 30, 200_000)
    const counts = () => ['events', 'outbox', 'attachments'].map((table) => shared.count(table))
    const before = counts()
    const dryRun = await shared.retain({ maxBytes: 5 * megabyte, isDryRun: true })
    expect(counts()).toEqual(before)
    expect(dryRun.space).toBe('within')
    const done = await shared.retain({ maxBytes: 5 * megabyte })
    const [dryRows, rows] = [dryRun, done].map(({ projects }) => projects.get(1)?.rows)
    for (const kind of ['outbox', 'attachments'] as const)
      expect(Math.abs((dryRows?.[kind] ?? 0) - (rows?.[kind] ?? 0))).toBeLessThanOrEqual(2)
    expect([...dryRun.projects.keys()]).toEqual([1])
  })
})
