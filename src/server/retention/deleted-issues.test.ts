import { describe, expect, it } from 'vitest'
import { findEvent } from '#server/store/events/events.ts'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { listDiscardedHashes, revokeDiscard } from '#server/store/triage/discarded-hashes.ts'
import { findIssueId, mergeIssues, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { makeEventRecord, testId, testProjectIds } from '#test/test-store.ts'

async function openDeleted({ discards }: { discards: boolean }) {
  const kept = await openKeptStore()
  const { store, receive } = kept
  const [own = '', other = '', merged = ''] = await receive(
    { ...ofIssue('a'), userKey: 'id:1', digests: ['1135396951'] },
    ofIssue('b'),
    ofIssue('merged'),
  )
  await mergeIssues(store, 'merged', 'a')
  await recordDeletion(
    store,
    { issueIds: [findIssueId(store, 'a') ?? -1], projectIds: testProjectIds },
    { userId: 'ada', at: store.clock(), discards },
  )
  return { ...kept, own, other, merged }
}

const reasons = (connection: Awaited<ReturnType<typeof openDeleted>>['store']['connection']) =>
  connection
    .prepare(`SELECT outcome, reason, quantity FROM outcome_hours WHERE outcome = 'filtered'`)
    .all()
    .map((row) => Object.values(row).join(' '))

describe('a deleted issue', () => {
  it('is hidden immediately, and is removed from the disk by the next run, with its merged issues', async () => {
    const { store, own, other, merged, retain, keptIds, count } = await openDeleted({ discards: false })
    const find = (id: string) => findEvent(store.db, { id, projectIds: testProjectIds })
    expect([await find(own), await find(merged)]).toEqual([undefined, undefined])
    expect(await find(other)).toBeDefined()
    expect(findBrokenInvariants(store)).toEqual([])
    const report = await retain()
    expect(report.projects.get(1)?.events.deleted).toBe(2)
    expect(keptIds()).toEqual([other])
    expect(findBrokenInvariants(store)).toEqual([])
    for (const table of ['event_digests', 'expired_issues', 'issue_parts', 'issue_users', 'issue_activity'])
      expect([table, count(table)]).toEqual([table, 0])
  })

  it('leaves no payload in a shared block', async () => {
    const { store, own, other, retain } = await openDeleted({ discards: false })
    await retain()
    const row = store.connection.prepare('SELECT sum(raw_bytes) AS bytes FROM body_blocks').get()
    const found = await findEvent(store.db, { id: other, projectIds: testProjectIds })
    expect(row?.['bytes']).toBe(found?.event.payload.byteLength)
    expect(Buffer.from(found?.event.payload ?? []).toString()).not.toContain(own)
  })

  it('does not end the run if blocks of its events were lost in a damaged database', async () => {
    const { store, other, retain, keptIds, count } = await openDeleted({ discards: false })
    store.connection.exec('DELETE FROM body_blocks')
    const report = await retain()
    expect(report.projects.get(1)?.events.deleted).toBe(2)
    expect([keptIds(), count('expired_issues')]).toEqual([[other], 0])
  })

  it('is created again by its next event, with counters from zero', async () => {
    const { store, receive, retain } = await openDeleted({ discards: false })
    await receive(ofIssue('a'))
    const counts = store.connection
      .prepare(`SELECT event_count, user_count FROM issues WHERE title = 'a'`)
      .all()
    expect(counts.map((row) => Object.values(row).join(' '))).toEqual(['1 0'])
    await retain()
    expect(findBrokenInvariants(store)).toEqual([])
    expect(reasons(store.connection)).toEqual([])
  })
})

describe('a deleted issue whose later events are discarded', () => {
  it('is not created again: its events are dropped, counted and shown as samples', async () => {
    const { store, receive, retain, keptIds, other, count } = await openDeleted({ discards: true })
    await receive(ofIssue('a'), ofIssue('merged'), ofIssue('b'))
    expect(reasons(store.connection)).toEqual(['filtered discarded-hash 2'])
    expect(count('filter_samples')).toBe(2)
    await retain()
    expect(keptIds()).toHaveLength(2)
    expect(keptIds()).toContain(other)
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('is created again once the discard is revoked', async () => {
    const { store, receive, count } = await openDeleted({ discards: true })
    expect(await listDiscardedHashes(store.db, 1)).toHaveLength(2)
    const hash = testId('issue a')
    expect(await revokeDiscard(store, { projectId: 2, hash })).toBe(false)
    expect(await revokeDiscard(store, { projectId: 1, hash })).toBe(true)
    await receive(ofIssue('a'), ofIssue('merged'))
    expect(count('issues')).toBe(2)
    expect((await listDiscardedHashes(store.db, 1)).map(({ title }) => title)).toEqual(['merged'])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('stores no attachment of a dropped event', async () => {
    const { commit, store, count } = await openDeleted({ discards: true })
    const event = makeEventRecord({ ...ofIssue('a'), eventId: testId('late') })
    const attachment = {
      projectId: 1,
      eventId: event.eventId,
      name: 'a.txt',
      contentType: 'text/plain',
      kind: 'event.attachment',
      receivedAt: store.clock(),
      byteCount: 1,
      contentHash: testId('content'),
      data: Buffer.from('x'),
    }
    const result = await commit({ events: [event], outcomes: [], deadLetters: [], attachments: [attachment] })
    expect(result.events).toEqual(['discarded'])
    expect(count('attachments')).toBe(0)
  })
})
