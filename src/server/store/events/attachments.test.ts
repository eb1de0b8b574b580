import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { AttachmentRecord, CommitEntry } from '#server/store/ingest/records.ts'
import { listOutcomeSteps } from '#server/store/outcomes/outcomes.ts'
import { makeEventRecord, openTestStore, testId, testNow, entryOf, testProjectIds } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'
import { findAttachment } from './attachments.ts'
import { findEvent } from './events.ts'

function makeAttachment(name: string, fields: Partial<AttachmentRecord> = {}): AttachmentRecord {
  return {
    projectId: 1,
    eventId: testId('event'),
    name,
    contentType: 'text/plain',
    kind: 'event.attachment',
    receivedAt: testNow,
    byteCount: Buffer.byteLength(name),
    contentHash: testId(name),
    data: zstdCompressSync(name),
    ...fields,
  }
}

const makeFeedback = (name: string, receivedAt: number) =>
  makeEventRecord({
    eventId: testId(name),
    receivedAt,
    feedback: { aboutEventId: testId('event'), name: '', email: 'a@b.test', message: name },
  })

async function openAttachments() {
  const store = await openTestStore()
  const committer = createCommitter(store)
  const outcomes = async () => {
    const rows = await listOutcomeSteps(store.db, { projectIds: [1, 2], since: 0, stepMs: hourMs })
    const ofAttachments = rows.filter((row) => row.category === 'attachment')
    return Object.fromEntries(ofAttachments.map((row) => [`${row.outcome} ${row.reason}`, row.quantity]))
  }
  const bring = (...attachments: AttachmentRecord[]) => {
    const work: CommitEntry = { events: [], outcomes: [], deadLetters: [], attachments }
    return committer.commit(work)
  }
  const total = () => store.db.selectFrom('attachment_totals').selectAll().execute()
  return { ...store, committer, outcomes, bring, total }
}

describe('attachments', () => {
  it('are committed with their event in one transaction, and are read back unchanged', async () => {
    const { db, committer, outcomes } = await openAttachments()
    const work = { ...entryOf(makeEventRecord()), attachments: [makeAttachment('a'), makeAttachment('b')] }
    await committer.commit(work)
    const found = await findEvent(db, { id: testId('event'), projectIds: testProjectIds })
    expect(found?.event.attachments).toEqual([
      { number: 1, name: 'a', contentType: 'text/plain', byteCount: 1 },
      { number: 2, name: 'b', contentType: 'text/plain', byteCount: 1 },
    ])
    const file = await findAttachment(db, { eventId: testId('event'), number: 2, projectIds: testProjectIds })
    expect(Buffer.from(file?.bytes ?? []).toString()).toBe('b')
    expect(await outcomes()).toEqual({ 'accepted ': 2 })
  })

  it('may arrive before or after their event', async () => {
    const { db, committer, bring } = await openAttachments()
    await bring(makeAttachment('before'))
    expect(
      await findAttachment(db, { eventId: testId('event'), number: 1, projectIds: testProjectIds }),
    ).toBeUndefined()
    await committer.commit(entryOf(makeEventRecord()))
    await bring(makeAttachment('after'))
    const found = await findEvent(db, { id: testId('event'), projectIds: testProjectIds })
    expect(found?.event.attachments.map(({ name }) => name)).toEqual(['before', 'after'])
  })

  it('belong to their project and their event only', async () => {
    const { db, committer, bring } = await openAttachments()
    await committer.commit(entryOf(makeEventRecord()))
    await bring(makeAttachment('other', { projectId: 2 }))
    await bring(makeAttachment('other', { eventId: testId('another') }))
    expect(
      (await findEvent(db, { id: testId('event'), projectIds: testProjectIds }))?.event.attachments,
    ).toEqual([])
    expect(
      await findAttachment(db, { eventId: testId('event'), number: 1, projectIds: testProjectIds }),
    ).toBeUndefined()
  })

  it('are stored once when they are sent twice, by name and content', async () => {
    const { bring, outcomes } = await openAttachments()
    await bring(makeAttachment('a'), makeAttachment('a'))
    await bring(makeAttachment('a'), makeAttachment('a', { contentHash: testId('else') }))
    expect(await outcomes()).toEqual({ 'accepted ': 2, 'invalid duplicate': 2 })
  })

  it('are bounded per event in number and bytes', async () => {
    const { bring, outcomes } = await openAttachments()
    const files = Array.from({ length: limits.attachmentsPerEvent + 3 }, (_, n) => makeAttachment(`f${n}`))
    await bring(...files)
    const half = limits.attachmentBytesPerEvent / 2
    const eventId = testId('large')
    await bring(makeAttachment('x', { eventId, byteCount: half }))
    await bring(makeAttachment('y', { eventId, byteCount: half + 1 }))
    await bring(makeAttachment('z', { eventId, byteCount: half }))
    expect(await outcomes()).toEqual({
      'accepted ': limits.attachmentsPerEvent + 2,
      'invalid too_large': 4,
    })
  })

  it('are limited per project, and deleting frees space again', async () => {
    const { bring, outcomes, total, connection } = await openAttachments()
    await bring(makeAttachment('a'))
    const [before] = await total()
    expect(before?.stored_bytes).toBe(zstdCompressSync('a').byteLength)
    connection.exec(`UPDATE attachment_totals SET stored_bytes = ${limits.attachmentBytesPerProject}`)
    await bring(makeAttachment('b'), makeAttachment('c', { projectId: 2 }))
    expect(await outcomes()).toEqual({ 'accepted ': 2, 'invalid too_large': 1 })
    connection.exec('DELETE FROM attachments WHERE project_id = 1')
    await bring(makeAttachment('b'))
    expect(await outcomes()).toEqual({ 'accepted ': 3, 'invalid too_large': 1 })
  })

  it('count the stored bytes, and none after all of them are deleted', async () => {
    const { bring, total, connection } = await openAttachments()
    await bring(makeAttachment('a'), makeAttachment('b'))
    connection.exec('DELETE FROM attachments')
    expect(await total()).toEqual([{ project_id: 1, stored_bytes: 0 }])
  })
})

describe('feedback', () => {
  it('is found with its event, newest first, in any order of arrival', async () => {
    const { db, committer } = await openAttachments()
    await committer.commit(entryOf(makeFeedback('early', testNow - 5)))
    await committer.commit(entryOf(makeEventRecord()))
    await committer.commit(entryOf(makeFeedback('late', testNow + 5)))
    await committer.commit(entryOf(makeFeedback('late', testNow + 5)))
    const found = await findEvent(db, { id: testId('event'), projectIds: testProjectIds })
    expect(found?.event.feedback).toEqual([
      { eventId: testId('late'), receivedAt: testNow + 5, name: '', email: 'a@b.test', message: 'late' },
      { eventId: testId('early'), receivedAt: testNow - 5, name: '', email: 'a@b.test', message: 'early' },
    ])
  })
})
