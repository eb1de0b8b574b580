import { describe, expect, it } from 'vitest'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { issueIdCandidate } from './id.ts'
import { findIssueWithHours } from './issues.ts'

const event = (name: string, projectId: number) =>
  makeEventRecord({ groupHash: testId(name), eventId: testId(name), title: name, projectId })

describe('one issue', () => {
  it('is found in whichever project', async () => {
    const store = await openTestStore()
    await store.commit(event('a', 2), event('b', 1))
    const issueId = issueIdCandidate(2, testId('a'), 0)
    const found = await findIssueWithHours(store.db, {
      issueId,
      projectIds: testProjectIds,
      now: testNow,
    })
    expect(found?.issue).toMatchObject({ id: String(issueId), shortId: 'API-1', title: 'a' })
    expect(found?.hours24.at(-1)).toBe(1)
  })

  it('is undefined when it does not exist', async () => {
    const store = await openTestStore()
    expect(
      await findIssueWithHours(store.db, { issueId: 1, projectIds: testProjectIds, now: testNow }),
    ).toBeUndefined()
  })
})
