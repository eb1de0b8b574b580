import { expect, it } from 'vitest'
import { readIssueExtras } from '#server/store/issues/api-fields.ts'
import { findIssueId, mergeIssues, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { testNow, testProjectIds } from '#test/test-store.ts'
import { addTestUser } from '#test/test-users.ts'
import { listIssueComments } from './comment-list.ts'
import { recordComment, recordCommentChange } from './comments.ts'

it('comments of a merged issue belong to the issue that it was merged into: listed, edited, deleted', async () => {
  const { store, receive } = await openKeptStore()
  await receive(ofIssue('a'), ofIssue('b'))
  const userId = 'ada'
  addTestUser(store, { userId })
  const [a = 0, b = 0] = ['a', 'b'].map((name) => findIssueId(store, name))
  const [of, actor] = [
    { issueId: a, projectIds: testProjectIds },
    { userId, at: testNow },
  ]
  await recordComment(store, { ...of, issueId: b }, { ...actor, text: 'of b' })
  await recordComment(store, of, { ...actor, text: 'of a' })
  await mergeIssues(store, 'b', 'a')
  const list = () => listIssueComments(store.db, { projectId: 1, issueId: of.issueId })
  const count = async () => {
    const issue = { id: String(a), project: { id: 1, slug: 'web', name: 'Web' } }
    return (await readIssueExtras(store.db, [issue])).get(String(a))?.commentCount
  }
  const comments = await list()
  expect([comments.map(({ text }) => text).toSorted(), await count()]).toEqual([['of a', 'of b'], 2])
  const commentId = comments.find(({ text }) => text === 'of b')?.id ?? ''
  const changed = { ...actor, commentId, text: 'changed' }
  expect(await recordCommentChange(store, of, { ...changed, userId: 'someone else' })).toBe(false)
  expect(await recordCommentChange(store, of, changed)).toBe(true)
  expect((await list()).map(({ text }) => text)).toContain('changed')
  expect(await recordCommentChange(store, of, { ...actor, commentId })).toBe(true)
  expect([(await list()).map(({ text }) => text), await count()]).toEqual([['of a'], 1])
})
