import { expect, it } from 'vitest'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordComment, recordCommentChange } from '#server/store/triage/comments.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { addTestUser } from '#test/test-users.ts'
import { decideWaitingAlerts } from './decisions.ts'

const place = { issueId: issueIdCandidate(1, testId('group'), 0), projectIds: testProjectIds }

/** A store with an issue, and users who comment on it. */
async function openComments(...users: string[]) {
  const store = await openTestStore()
  store.connection.exec('DELETE FROM alert_rules')
  for (const userId of users) addTestUser(store, { userId })
  await store.commit(makeEventRecord())
  let now = testNow
  const decide = () => decideWaitingAlerts(store, { now, hasMail: true })
  const list = (sql: string) =>
    store.connection
      .prepare(sql)
      .all()
      .map((row) => Object.values(row).join(' '))
  return {
    store,
    write: async (userId: string, text: string) => {
      now += 1
      await recordComment(store, place, { userId, at: now, text })
      await decide()
    },
    edit: async (userId: string, text: string) => {
      now += 1
      const [commentId = ''] = list("SELECT id FROM issue_activity WHERE kind = 'comment'")
      await recordCommentChange(store, place, { userId, at: now, commentId, text })
      await decide()
    },
    inbox: () => list('SELECT user_id, kind FROM inbox_items ORDER BY user_id, id'),
    mails: () =>
      list('SELECT user_id, kind FROM alert_deliveries WHERE user_id IS NOT NULL ORDER BY user_id'),
    forget: () => store.connection.exec('DELETE FROM inbox_items; DELETE FROM alert_deliveries'),
  }
}

it('mentioned users are notified of the mention by their settings, and not again of the same comment', async () => {
  const { store, write, inbox, mails, forget } = await openComments('ada', 'bob', 'eve', 'dan')
  for (const [user_id, way] of [
    ['eve', 'none'],
    ['dan', 'inbox'],
  ] as const)
    await store.writer
      .insertInto('notification_preferences')
      .values({ project_id: 0, user_id, transition: 'mention', way })
      .execute()
  for (const userId of ['bob', 'eve']) await write(userId, 'Hm')
  forget()
  await write('ada', '@bob @Eve @dan @ada @nobody: look')
  // Eve wants comments, but no mentions.
  expect(inbox()).toEqual(['bob mention', 'dan mention', 'eve comment'])
  expect(mails()).toEqual(['bob issues', 'eve issues'])
})

it('mentioned users have access to the project, and are notified of an edit if they were not mentioned before', async () => {
  const { store, write, edit, inbox } = await openComments('ada', 'bob', 'eve', 'out')
  store.connection.exec("UPDATE memberships SET has_all_projects = 0 WHERE user_id = 'out'")
  await write('ada', 'cc @bob @out')
  expect(inbox()).toEqual(['bob mention'])
  await edit('ada', 'cc @bob, @eve')
  expect(inbox()).toEqual(['bob mention', 'eve mention'])
  await edit('bob', '@out is not mine to change')
  expect(inbox()).toHaveLength(2)
})
