import { expect, it, onTestFinished } from 'vitest'
import { createAlertDeliverer } from '#server/alerts/deliverer.ts'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { startFakeUpstream } from '#test/fake-upstream.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds, entryOf } from '#test/test-store.ts'

const secret = 'a secret of the installation, for tests'

it('transitions of an issue within a day edit its first message, if the channel supports it', async () => {
  const clock = { now: testNow }
  const store = await openTestStore({ clock: () => clock.now })
  await store.writer.deleteFrom('alert_rules').execute()
  const discord = await startFakeUpstream((response) => response.end('{"id":"1100110011"}'))
  onTestFinished(() => discord.close())
  const url = `http://${discord.address}/api/webhooks/123456789012345678/${'t'.repeat(68)}`
  const entered = { name: 'Discord', channel: 'discord', values: { url } }
  const added = await addDestination({ store, secret }, 1, entered)
  if (!added.ok) throw new Error(JSON.stringify(added.problems))
  await recordAlertRule(store, {
    organizationId: 1,
    rule: makeAlertRule({
      name: 'Everything',
      transitions: ['new', 'comment'],
      actions: [{ kind: 'destination', id: added.destinationId }],
    }),
  })
  const deliverer = createAlertDeliverer({
    store,
    log: createLog('silent'),
    env: { secret, privateDestinations: { networks: ['127.0.0.1/32'], hosts: [] }, mail: undefined },
    origin: () => 'https://culvert.example',
    random: () => 0,
  })
  onTestFinished(() => deliverer.stop())
  const deliver = async () => {
    await decideWaitingAlerts(store, { now: clock.now, hasMail: false })
    await deliverer.deliver()
  }
  const comment = (text: string) => {
    const issue = { issueId: issueIdCandidate(1, testId('group'), 0), projectIds: testProjectIds }
    return recordComment(store, issue, { userId: 'ada', at: clock.now, text })
  }
  const committer = createCommitter(store)
  await committer.commit(entryOf(makeEventRecord({ groupHash: testId('group') })))
  await deliver()
  clock.now += limits.alertGroupMs
  await comment('I look at it')
  await deliver()
  clock.now += limits.alertThreadMs
  await comment('A day later')
  await deliver()
  expect(discord.requests.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST'])
  expect(discord.requests[1]?.url).toContain('/messages/1100110011')

  // A message about several issues edits the message of none.
  clock.now += limits.alertGroupMs
  await comment('There is another one')
  const other = { eventId: testId('other'), groupHash: testId('other'), receivedAt: clock.now + 1 }
  await committer.commit(entryOf(makeEventRecord(other)))
  await deliver()
  expect(discord.requests.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST', 'POST'])
})
