import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { onPostgres } from '#test/engine.ts'
import { ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testId } from '#test/test-store.ts'
import { findByteLimit } from './space/space.ts'

const megabyte = 1_000_000

/**
 * A store with this many events, of two projects in turn, ten a second; their payloads of 20 kB are
 * incompressible.
 */
async function openFullStore(eventCount: number) {
  const kept = await openKeptStore()
  const events = Array.from({ length: eventCount }, (_, index) => {
    const eventId = testId(`full ${index}`)
    const text = JSON.stringify({ event_id: eventId, data: randomBytes(15_000).toString('base64') })
    return { ...ofIssue(`${index % 4}`), eventId, projectId: 1 + (index % 2), payload: Buffer.from(text) }
  })
  for (let from = 0; from < eventCount; from += 10) {
    const batch = events.slice(from, from + 10)
    await kept.receive(
      ...batch.map((event, index) => Object.assign(event, { occurredAt: kept.now() + index })),
    )
    kept.setNow(kept.now() + 1_000)
  }
  return { ...kept, ids: events.map(({ eventId }) => eventId) }
}

describe('retention by bytes', () => {
  it('deletes the oldest events of all projects until the database is small enough', async () => {
    const { store, ids, retain, keptIds } = await openFullStore(400)
    const report = await retain({ maxBytes: 4 * megabyte })
    expect(report.space).toBe('within')
    expect(report.usedBytesBefore).toBeGreaterThan(6 * megabyte)
    expect(report.usedBytesAfter).toBeLessThanOrEqual(4 * megabyte)
    const kept = new Set([...keptIds(1), ...keptIds(2)])
    expect(kept.size).toBeGreaterThan(100)
    // The first events of the four issues, and the newest events of both projects.
    expect(ids.slice(0, 4).every((id) => kept.has(id))).toBe(true)
    const firstKept = ids.findIndex((id, index) => index >= 4 && kept.has(id))
    // In the last batch, one project may be finished already.
    expect(ids.slice(firstKept + 10).every((id) => kept.has(id))).toBe(true)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it.skipIf(onPostgres)('returns the space to the disk', async () => {
    const { store, retain } = await openFullStore(400)
    store.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(statSync(store.path).size).toBeGreaterThan(6 * megabyte)
    const report = await retain({ maxBytes: 4 * megabyte })
    expect(report.returnedBytes).toBeGreaterThan(2 * megabyte)
    expect(statSync(store.path).size).toBeLessThan(4.4 * megabyte)
  })

  it('deletes first and latest events, too, when nothing else is left', async () => {
    const { store, retain, count } = await openFullStore(60)
    const report = await retain({ maxBytes: 1 })
    expect(report.space).toBe('exhausted')
    expect([count('events'), count('issues'), count('body_blocks'), count('issue_tags')]).toEqual([
      0, 0, 0, 0,
    ])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('estimates in a dry run how much a run would free', async () => {
    const { retain } = await openFullStore(300)
    const dryRun = await retain({ maxBytes: 4 * megabyte, isDryRun: true })
    expect(dryRun.usedBytesAfter).toBeLessThanOrEqual(4 * megabyte)
    const done = await retain({ maxBytes: 4 * megabyte })
    const eventsOf = ({ projects }: typeof done) =>
      [...projects.values()].reduce((sum, { events }) => sum + events.bytes, 0)
    expect(eventsOf(dryRun)).toBeGreaterThan(eventsOf(done) * 0.8)
    expect(eventsOf(dryRun)).toBeLessThan(eventsOf(done) * 1.25)
  })

  it('returns all free space, and deletes the missing bytes, on a nearly full disk', async () => {
    const { retain, count } = await openFullStore(100)
    const small = await retain({ disk: { totalBytes: 10 ** 12, missingBytes: megabyte } })
    expect(small.byteLimit).toBe(1_000_000_000)
    expect(count('events')).toBe(100)
  })
})

describe('the limit of bytes', () => {
  const gigabyte = 1_000_000_000
  const disk = { totalBytes: 100 * gigabyte, missingBytes: 0 }

  it('is the operator’s limit, or most of the disk when that is less', () => {
    const fileBytes = 5 * gigabyte
    expect(findByteLimit({ maxBytes: 10 * gigabyte, fileBytes, disk })).toBe(10 * gigabyte)
    expect(findByteLimit({ maxBytes: 10 * gigabyte, fileBytes, disk: undefined })).toBe(10 * gigabyte)
    const small = { totalBytes: 10 * gigabyte, missingBytes: 0 }
    expect(findByteLimit({ maxBytes: 10 * gigabyte, fileBytes, disk: small })).toBe(8 * gigabyte)
  })

  it('reduces the limit on a nearly full disk, but never below the size of a small database', () => {
    const full = { ...disk, missingBytes: 2 * gigabyte }
    expect(findByteLimit({ maxBytes: 10 * gigabyte, fileBytes: 5 * gigabyte, disk: full })).toBe(3 * gigabyte)
    expect(findByteLimit({ maxBytes: 10 * gigabyte, fileBytes: gigabyte, disk: full })).toBe(gigabyte)
    expect(findByteLimit({ maxBytes: gigabyte / 2, fileBytes: gigabyte, disk: full })).toBe(gigabyte / 2)
  })
})
