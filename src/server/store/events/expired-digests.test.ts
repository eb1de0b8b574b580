import { describe, expect, it } from 'vitest'
import { ofIssue, openKeptStore } from '#test/kept-store.ts'
import { testId, testNow, testProjectIds } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'
import { findExpiredEvent } from './expired-digests.ts'

describe('a deleted event', () => {
  it('is found by a prefix of its id and by all of it, with the reason and the time', async () => {
    const { store, receive, setDaysAgo, keep, retain } = await openKeptStore()
    setDaysAgo(100)
    await receive({ ...ofIssue('a'), eventId: testId('old') })
    setDaysAgo(2)
    await receive({ ...ofIssue('b'), eventId: testId('too many'), projectId: 2 })
    setDaysAgo(1)
    await receive({ ...ofIssue('c'), eventId: testId('kept'), projectId: 2 })
    await keep(2, { events: 1 })
    setDaysAgo(0)
    await retain()
    const expired = { projectName: 'Web', expiredAt: testNow, reason: 'age' }
    expect(
      await findExpiredEvent(store.db, { id: testId('old').slice(0, 12), projectIds: testProjectIds }),
    ).toEqual(expired)
    expect(await findExpiredEvent(store.db, { id: testId('old'), projectIds: testProjectIds })).toEqual(
      expired,
    )
    expect(
      await findExpiredEvent(store.db, { id: testId('too many'), projectIds: testProjectIds }),
    ).toMatchObject({
      projectName: 'Api',
      reason: 'count',
    })
    expect(
      await findExpiredEvent(store.db, { id: testId('kept'), projectIds: testProjectIds }),
    ).toBeUndefined()
    expect(
      await findExpiredEvent(store.db, { id: testId('never'), projectIds: testProjectIds }),
    ).toBeUndefined()
  })

  it('is not matched by digits that span two ids', async () => {
    const { store, receive, setDaysAgo, retain } = await openKeptStore()
    setDaysAgo(100)
    const [one, other] = ['a'.repeat(32), 'b'.repeat(32)]
    await receive({ ...ofIssue('a'), eventId: one }, { ...ofIssue('a'), eventId: other })
    setDaysAgo(0)
    await retain()
    expect(await findExpiredEvent(store.db, { id: 'a'.repeat(12), projectIds: testProjectIds })).toBeDefined()
    expect(
      await findExpiredEvent(store.db, { id: 'aaaaaabbbbbb', projectIds: testProjectIds }),
    ).toBeUndefined()
  })

  it('is no longer found in the end', async () => {
    const { store, receive, setDaysAgo, setNow, retain } = await openKeptStore()
    setDaysAgo(100)
    await receive({ ...ofIssue('a'), eventId: testId('old') })
    setDaysAgo(0)
    await retain()
    setNow(testNow + 91 * dayMs)
    await retain()
    expect(
      await findExpiredEvent(store.db, { id: testId('old'), projectIds: testProjectIds }),
    ).toBeUndefined()
  })
})
