import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import type { QuietHours } from '#alerts/rule.ts'
import { limits } from '#server/limits.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { recordPushBrowser, toPushId } from '#server/store/alerts/push-subscriptions.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openAlerts, organizationId, ruleForEverything, secret } from '#test/alert-deliveries.ts'
import { startPushService } from '#test/push-service.ts'
import { createCertificate, parseMail, startSmtpReceiver } from '#test/smtp-receiver.ts'
import { entryOf, makeEventRecord, testId } from '#test/test-store.ts'
import { addTestUser } from '#test/test-users.ts'
import { createSecretBox } from './channels/secret-box.ts'

const certificate = await createCertificate()
const knownAuthorities = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...knownAuthorities, certificate.cert]))
afterAll(() => setDefaultCACertificates(knownAuthorities))

interface WaitingMessage {
  /** How the user is notified. */
  way: 'digest' | 'inbox'
  quietHours?: QuietHours
  /** The number of new issues in each project. */
  issueCount?: number
}

/** A user's message about new issues in two projects, which waits. */
async function openWaiting({ way, quietHours, issueCount = 1 }: WaitingMessage) {
  const { store, clock, createDeliverer, list } = await openAlerts()
  const other = await createProject(store, { name: 'Other' })
  // The rule of a new project has no quiet hours.
  await store.writer.deleteFrom('alert_rules').execute()
  addTestUser(store, { userId: 'ann' })
  await store.writer
    .insertInto('notification_preferences')
    .values({ project_id: 0, user_id: 'ann', transition: 'new', way })
    .execute()
  const rule = { ...ruleForEverything, actions: [{ kind: 'members' as const }], quietHours }
  await recordAlertRule(store, { organizationId, rule })
  const [mails, pushes] = [await startSmtpReceiver(), await startPushService(certificate)]
  onTestFinished(() => mails.close())
  onTestFinished(() => pushes.close())
  const browser = pushes.subscribe()
  const id = toPushId(browser.subscription.endpoint)
  const sealedSecrets = createSecretBox(secret).seal(JSON.stringify(browser.subscription), id)
  await recordPushBrowser(store, { id, userId: 'ann', name: 'Firefox', sealedSecrets })
  const events = [1, other.id].flatMap((projectId) =>
    Array.from({ length: issueCount }, (_, at) =>
      makeEventRecord({
        projectId,
        eventId: testId(`event ${projectId} ${at}`),
        groupHash: testId(`group ${projectId} ${at}`),
        title: `Error of ${projectId}`,
      }),
    ),
  )
  await createCommitter(store).commit(entryOf(...events))
  while ((await decideWaitingAlerts(store, { now: clock.now, hasMail: true })) > 0);
  return {
    store,
    other,
    list,
    keepOnly: async (projectId: number) => {
      await store.writer.updateTable('memberships').set({ has_all_projects: 0 }).execute()
      await store.writer
        .insertInto('project_members')
        .values({ user_id: 'ann', project_id: projectId })
        .execute()
    },
    /** Returns the texts of mails, or the bodies of notifications. */
    deliver: async () => {
      clock.now += limits.alertDigestMs
      const allowed = { networks: [], hosts: [{ host: 'localhost' }] }
      await createDeliverer(store, allowed, `smtp://localhost:${mails.port}`).deliver()
      return [
        ...mails.mails.map(({ raw }) => parseMail(raw).text),
        ...browser.messages.map(({ message }) => String(message['body'])),
      ]
    },
  }
}

it.each<[string, WaitingMessage]>([
  ['a digest', { way: 'digest' }],
  [
    'a browser notification after quiet hours',
    {
      way: 'inbox',
      quietHours: { from: '12:00', to: '13:00', timeZone: 'UTC', lettingFatal: false },
    },
  ],
])('%s names only issues of projects that the user still has access to', async (_, waiting) => {
  const { other, keepOnly, deliver, list } = await openWaiting(waiting)
  await keepOnly(1)
  const [text = ''] = await deliver()
  expect([text.includes('Error of 1'), text.includes(`Error of ${other.id}`)]).toEqual([true, false])
  expect(await list()).toEqual(['sent 1'])
})

it('a digest does not count issues of a lost project, listed or not', async () => {
  const waiting: WaitingMessage = { way: 'digest', issueCount: limits.alertTransitionsPerDelivery / 2 + 10 }
  const both = await openWaiting(waiting)
  expect(await both.deliver()).toEqual([expect.stringContaining('120 alerts in 2 projects')])
  for (const isFirst of [true, false]) {
    const one = await openWaiting(waiting)
    await one.keepOnly(isFirst ? 1 : one.other.id)
    expect(await one.deliver()).toEqual([expect.stringMatching(/^60 (new issues|alerts) in /)])
  }
})

it('a digest that lists only issues of one project does not count those of a lost one', async () => {
  const issueCount = limits.alertTransitionsPerDelivery + 10
  const one = await openWaiting({ way: 'digest', issueCount })
  await one.keepOnly(1)
  expect(await one.deliver()).toEqual([expect.stringContaining(`${issueCount} alerts in Web`)])
})

it('a digest is cancelled after the user was removed from the organization', async () => {
  const { store, deliver, list } = await openWaiting({ way: 'digest' })
  await store.writer.deleteFrom('memberships').where('user_id', '=', 'ann').execute()
  expect(await deliver()).toEqual([])
  expect(await list()).toEqual(['cancelled 1'])
})
