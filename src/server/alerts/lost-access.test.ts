import { expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openAlerts, organizationId, ruleForEverything } from '../../../test/support/alert-deliveries.ts'
import { parseMail, startSmtpReceiver } from '../../../test/support/smtp-receiver.ts'
import { entryOf, makeEventRecord, testId } from '../../../test/support/test-store.ts'
import { addTestUser } from '../../../test/support/test-users.ts'

/** A user's digest of new issues in two projects, which waits. */
async function openDigest() {
  const { store, clock, createDeliverer, list } = await openAlerts()
  const other = await createProject(store, { name: 'Other' })
  addTestUser(store, { userId: 'ann' })
  await store.writer
    .insertInto('notification_preferences')
    .values({ project_id: 0, user_id: 'ann', transition: 'new', way: 'digest' })
    .execute()
  const rule = { ...ruleForEverything, actions: [{ kind: 'members' as const }] }
  await recordAlertRule(store, { organizationId, rule })
  const events = [1, other.id].map((projectId) =>
    makeEventRecord({
      projectId,
      eventId: testId(`event ${projectId}`),
      groupHash: testId(`group ${projectId}`),
      title: `Error of ${projectId}`,
    }),
  )
  await createCommitter(store).commit(entryOf(...events))
  while ((await decideWaitingAlerts(store, { now: clock.now, hasMail: true })) > 0);
  const receiver = await startSmtpReceiver()
  onTestFinished(() => receiver.close())
  return {
    store,
    other,
    list,
    deliver: async () => {
      clock.now += limits.alertDigestMs
      await createDeliverer(store, undefined, `smtp://localhost:${receiver.port}`).deliver()
      return receiver.mails.map(({ raw }) => parseMail(raw).text)
    },
  }
}

it('a digest names only issues of projects that the user still has access to', async () => {
  const { store, other, deliver, list } = await openDigest()
  await store.writer.updateTable('memberships').set({ has_all_projects: 0 }).execute()
  await store.writer.insertInto('project_members').values({ user_id: 'ann', project_id: 1 }).execute()
  const [text = ''] = await deliver()
  expect([text.includes('Error of 1'), text.includes(`Error of ${other.id}`)]).toEqual([true, false])
  expect(await list()).toEqual(['sent 1'])
})

it('a digest is cancelled after the user was removed from the organization', async () => {
  const { store, deliver, list } = await openDigest()
  await store.writer.deleteFrom('memberships').where('user_id', '=', 'ann').execute()
  expect(await deliver()).toEqual([])
  expect(await list()).toEqual(['cancelled 1'])
})
