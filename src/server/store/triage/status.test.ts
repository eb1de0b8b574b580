import { describe, expect, it } from 'vitest'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { findIssueWithHours } from '#server/store/issues/issues.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { recordIssueStatus } from './status.ts'

const issueId = issueIdCandidate(1, testId('group'), 0)
const selection = { projectIds: testProjectIds, issueIds: [issueId] }

async function openIssue() {
  const store = await openTestStore()
  /** An event of the issue, this many milliseconds after its first one. */
  const happen = (name: string, afterMs: number, receivedAfterMs = afterMs) =>
    store.commit(
      makeEventRecord({
        eventId: testId(name),
        occurredAt: testNow + afterMs,
        receivedAt: testNow + receivedAfterMs,
      }),
    )
  await happen('first', 0)
  return {
    store,
    happen,
    set: (status: IssueStatus, afterMs: number) =>
      recordIssueStatus(store, selection, { userId: 'ada', at: testNow + afterMs, change: { status } }),
    read: async () => {
      const found = await findIssueWithHours(store.db, { issueId, projectIds: testProjectIds, now: testNow })
      const { status, statusChangedAt, isRegressed = false } = found?.issue ?? {}
      return { status, statusChangedAt, isRegressed }
    },
  }
}

describe('the status of an issue', () => {
  it('is updated with its time, and the former status is returned', async () => {
    const { set, read } = await openIssue()
    expect(await read()).toEqual({ status: 'unresolved', statusChangedAt: undefined, isRegressed: false })
    expect(await set('resolved', 10)).toMatchObject({ formerStatuses: { [issueId]: 'unresolved' } })
    expect(await read()).toEqual({ status: 'resolved', statusChangedAt: testNow + 10, isRegressed: false })
    expect(await set('archived', 20)).toMatchObject({ formerStatuses: { [issueId]: 'resolved' } })
    await set('unresolved', 30)
    expect(await read()).toMatchObject({ status: 'unresolved', statusChangedAt: testNow + 30 })
  })

  it('that is set twice keeps the time of the first', async () => {
    const { set, read } = await openIssue()
    await set('resolved', 10)
    await set('resolved', 20)
    expect(await read()).toMatchObject({ statusChangedAt: testNow + 10 })
  })

  it('of an unknown issue is not set, and the other issues are updated', async () => {
    const { store, read } = await openIssue()
    const result = await recordIssueStatus(
      store,
      { projectIds: testProjectIds, issueIds: [17, issueId] },
      { userId: 'ada', at: testNow, change: { status: 'resolved' } },
    )
    expect(result).toMatchObject({ issueIds: [issueId] })
    expect(await read()).toMatchObject({ status: 'resolved' })
  })

  it('cannot be changed without access to the project', async () => {
    const { store, read } = await openIssue()
    const result = await recordIssueStatus(
      store,
      { projectIds: [2], issueIds: [issueId] },
      { userId: 'ada', at: testNow, change: { status: 'resolved' } },
    )
    expect(result).toMatchObject({ issueIds: [] })
    expect(await read()).toMatchObject({ status: 'unresolved' })
  })
})

describe('a resolved issue', () => {
  it('that receives another event is unresolved and regressed until a user sets its status', async () => {
    const { happen, set, read } = await openIssue()
    await set('resolved', 10)
    await happen('second', 20, 25)
    expect(await read()).toEqual({ status: 'unresolved', statusChangedAt: testNow + 25, isRegressed: true })
    await happen('third', 30)
    expect(await read()).toMatchObject({ statusChangedAt: testNow + 25, isRegressed: true })
    await set('resolved', 40)
    expect(await read()).toEqual({ status: 'resolved', statusChangedAt: testNow + 40, isRegressed: false })
  })

  it('remains resolved when an earlier event arrives late', async () => {
    const { happen, set, read } = await openIssue()
    await set('resolved', 10)
    await happen('late', 5, 20)
    expect(await read()).toMatchObject({ status: 'resolved', isRegressed: false })
  })

  it('remains resolved when an event is sent twice', async () => {
    const { happen, set, read } = await openIssue()
    await set('resolved', 10)
    await happen('first', 20)
    expect(await read()).toMatchObject({ status: 'resolved' })
  })
})

it('an archived issue stays archived when it receives events', async () => {
  const { happen, set, read } = await openIssue()
  await set('archived', 10)
  await happen('second', 20)
  expect(await read()).toEqual({ status: 'archived', statusChangedAt: testNow + 10, isRegressed: false })
})
