import { expect, it } from 'vitest'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { openDecidingAlerts } from '#test/deciding-alerts.ts'
import { testNow } from '#test/test-store.ts'
import { countUnread, listInbox } from './inbox.ts'

it('items about a deleted issue, and about issues merged into it, are not unread', async () => {
  const { store, receive, decide } = await openDecidingAlerts({
    users: ['ann', 'ben'],
    rules: [{ actions: [{ kind: 'members' }] }],
  })
  await receive(['deleted', 'merged', 'kept'])
  await decide()
  const inbox = { userId: 'ann', projectIds: [1] }
  expect((await countUnread(store.db, inbox)).count).toBe(3)
  const listed = await listInbox(store.db, { ...inbox, isUnreadOnly: true })
  const [kept = 0, ...others] = listed.map(({ issue }) => Number(issue?.id))
  const actor = { userId: 'ben', at: testNow }
  await recordMerge(store, { issueIds: others, projectIds: [1] }, actor)
  await recordDeletion(store, { issueIds: others, projectIds: [1] }, { ...actor, discards: false })
  expect(await countUnread(store.db, inbox)).toEqual({ count: 1, issueIds: [String(kept)] })
})
