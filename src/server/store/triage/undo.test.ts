import { describe, expect, it } from 'vitest'
import { putMembership } from '#server/store/accounts/users.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { findIssueWithHours } from '#server/store/issues/issues.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { recordAssignee } from './assignee.ts'
import { readIssueTriage } from './choices.ts'
import { recordComment } from './comments.ts'
import { recordMerge, recordUnmerge } from './merge.ts'
import { recordIssueStatus } from './status.ts'
import { recordUndo } from './undo.ts'

const ids = ['a', 'b'].map((name) => issueIdCandidate(1, testId(name), 0))
const selection = { projectIds: testProjectIds, issueIds: ids }
const ada = (afterMs: number) => ({ userId: 'ada', at: testNow + afterMs })

/** Two issues of project 1, and the accounts of Ada, with access to it, and Bo, with access to project 2. */
async function openIssues() {
  const store = await openTestStore()
  const happen = (name: string, afterMs: number) =>
    store.commit(
      makeEventRecord({
        eventId: testId(`${name} ${afterMs}`),
        groupHash: testId(name),
        occurredAt: testNow + afterMs,
        receivedAt: testNow + afterMs,
      }),
    )
  await happen('a', 0)
  await happen('b', 0)
  for (const [userId, projectId] of [
    ['ada', 1],
    ['bo', 2],
  ] as const) {
    store.connection
      .prepare(`INSERT INTO users (id, name, email, created_at, updated_at) VALUES (?, upper(?), ?, '', '')`)
      .run(userId, userId, `${userId}@example.com`)
    await store.writer
      .transaction()
      .execute((tx) =>
        putMembership(tx, { organizationId: 1, userId, role: 'member', projectIds: [projectId], at: 0 }),
      )
  }
  return {
    store,
    happen,
    read: () =>
      Promise.all(
        ids.map(async (issueId) => {
          const found = await findIssueWithHours(store.db, {
            issueId,
            projectIds: testProjectIds,
            now: testNow,
          })
          const { status, assignee } = found?.issue ?? {}
          return { status, ...(assignee && { assignee: assignee.name }) }
        }),
      ),
    activity: () =>
      store.connection
        .prepare('SELECT issue_id, user_id, kind FROM issue_activity ORDER BY at, issue_id')
        .all()
        .map((row) => [ids.indexOf(Number(row['issue_id'])), row['user_id'], row['kind']]),
  }
}

describe('an action on several issues', () => {
  it('is recorded for each of them, and its undo restores the state of each', async () => {
    const { store, read, activity } = await openIssues()
    const [first = 0] = ids
    await recordIssueStatus(
      store,
      { ...selection, issueIds: [first] },
      { ...ada(1), change: { status: 'archived' } },
    )
    const { actionId } = await recordIssueStatus(store, selection, {
      ...ada(2),
      change: { status: 'resolved' },
    })
    expect(await read()).toEqual([{ status: 'resolved' }, { status: 'resolved' }])
    await recordUndo(store, selection, { ...ada(3), actionId })
    expect(await read()).toEqual([{ status: 'archived' }, { status: 'unresolved' }])
    expect(activity()).toEqual(
      expect.arrayContaining([
        [0, 'ada', 'status'],
        [1, 'ada', 'status'],
        [1, 'ada', 'undone'],
      ]),
    )
    expect(activity()).toHaveLength(5)
  })

  it('is named by the activity about its undo', async () => {
    const { store } = await openIssues()
    const [issueId = 0, otherId = 0] = ids
    const one = { projectIds: testProjectIds, issueIds: [issueId] }
    const changeOfUndo = async (at: number, done: object) => {
      const actionId = 'actionId' in done ? String(done.actionId) : ''
      await recordUndo(store, selection, { ...ada(at), actionId })
      const { activity } = await readIssueTriage(store.db, { projectId: 1, issueId }, 'web')
      return activity.find((entry) => entry.at === testNow + at)
    }
    const resolved = await recordIssueStatus(store, one, { ...ada(1), change: { status: 'resolved' } })
    expect(await changeOfUndo(2, resolved)).toMatchObject({ kind: 'undone', change: 'status' })
    const assigned = await recordAssignee(store, one, { ...ada(3), assigneeId: 'ada' })
    expect(await changeOfUndo(4, assigned)).toMatchObject({ kind: 'undone', change: 'assignment' })
    const merged = await recordMerge(store, selection, { ...ada(5), intoId: issueId })
    expect(await changeOfUndo(6, merged)).toMatchObject({ kind: 'undone', change: 'merge' })
    await recordMerge(store, selection, { ...ada(7), intoId: issueId })
    const unmerged = await recordUnmerge(store, one, { ...ada(8), partIds: [otherId] })
    expect(await changeOfUndo(9, unmerged)).toMatchObject({ kind: 'undone', change: 'unmerge' })
  })

  it('is not undone for an issue that an event has changed since, nor by another user', async () => {
    const { store, read, happen } = await openIssues()
    const { actionId } = await recordIssueStatus(store, selection, {
      ...ada(1),
      change: { status: 'resolved' },
    })
    await recordUndo(store, selection, { userId: 'bo', at: testNow + 2, actionId })
    expect(await read()).toEqual([{ status: 'resolved' }, { status: 'resolved' }])
    await happen('a', 5)
    await recordIssueStatus(store, selection, { ...ada(6), change: { status: 'archived' } })
    await recordUndo(store, selection, { ...ada(7), actionId })
    expect(await read()).toEqual([{ status: 'archived' }, { status: 'archived' }])
  })
})

describe('issues', () => {
  it('are assigned to users with access, and can be unassigned', async () => {
    const { store, read } = await openIssues()
    const result = await recordAssignee(store, selection, { ...ada(1), assigneeId: 'ada' })
    expect(await read()).toEqual([
      { status: 'unresolved', assignee: 'ADA' },
      { status: 'unresolved', assignee: 'ADA' },
    ])
    const { actionId } = 'actionId' in result ? result : { actionId: '' }
    await recordUndo(store, selection, { ...ada(2), actionId })
    expect(await read()).toEqual([{ status: 'unresolved' }, { status: 'unresolved' }])
    await recordAssignee(store, selection, { ...ada(3), assigneeId: 'ada' })
    await recordAssignee(store, selection, { ...ada(4), assigneeId: null })
    expect(await read()).toEqual([{ status: 'unresolved' }, { status: 'unresolved' }])
  })

  it('show whom they were assigned to, with a comment that contains U+0000', async () => {
    const { store } = await openIssues()
    const [issueId = 0] = ids
    await recordAssignee(store, selection, { ...ada(1), assigneeId: 'ada' })
    await recordComment(
      store,
      { issueId, projectIds: testProjectIds },
      { ...ada(2), text: '\0","assigneeId":"bo"' },
    )
    await recordAssignee(store, selection, { ...ada(3), assigneeId: null })
    const { activity } = await readIssueTriage(store.db, { projectId: 1, issueId }, 'web')
    expect(activity).toMatchObject([
      { kind: 'assigned', assignee: { name: 'ADA' } },
      { kind: 'comment', text: '\0","assigneeId":"bo"' },
      { kind: 'assigned' },
    ])
    expect(activity[2]).not.toHaveProperty('assignee')
  })

  it.each(['bo', 'nobody-at-all'])('are not assigned to %s, who has no access', async (assigneeId) => {
    const { store, read, activity } = await openIssues()
    const result = await recordAssignee(store, selection, { ...ada(1), assigneeId })
    expect(result).toEqual({ rejected: 'assignee-without-access' })
    expect(await read()).toEqual([{ status: 'unresolved' }, { status: 'unresolved' }])
    expect(activity()).toEqual([])
  })
})
