import { createServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createAlertDeliverer } from '#server/alerts/deliverer.ts'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { parseSmtpUrl } from '#server/mail-settings.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { findDestination } from '#server/store/alerts/destinations.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { makeAlertRule } from '#test/alert-rule.ts'
import { listenLocally } from '#test/listen-locally.ts'
import { createCertificate, parseMail, smtpError, startSmtpReceiver } from '#test/smtp-receiver.ts'
import { makeEventRecord, openTestStore, testNow, entryOf } from '#test/test-store.ts'

const certificate = await createCertificate()
const knownAuthorities = getCACertificates('default')
beforeAll(() => setDefaultCACertificates([...knownAuthorities, certificate.cert]))
afterAll(() => setDefaultCACertificates(knownAuthorities))

const organizationId = 1

/** A store with a mail to a destination that waits. */
async function openWaitingMail() {
  const clock = { now: testNow }
  const store = await openTestStore({ clock: () => clock.now })
  await store.writer.deleteFrom('alert_rules').execute()
  const added = await addDestination({ store, secret: undefined }, organizationId, {
    name: 'Ops',
    channel: 'email',
    values: { to: 'ops@example.com' },
  })
  if (!added.ok) throw new Error(JSON.stringify(added.problems))
  const { destinationId } = added
  await recordAlertRule(store, {
    organizationId,
    rule: makeAlertRule({ actions: [{ kind: 'destination', id: destinationId }] }),
  })
  await createCommitter(store).commit(entryOf(makeEventRecord()))
  await decideWaitingAlerts(store, { now: clock.now, hasMail: true })
  return {
    clock,
    /** One run of the worker of a process with this mail server, after the longest delay between attempts. */
    deliverBy: async (smtpUrl: string) => {
      const server = parseSmtpUrl(smtpUrl)
      const mail = server && { server, from: 'Culvert <culvert@example.com>' }
      const deliverer = createAlertDeliverer({
        store,
        log: createLog('silent'),
        env: { secret: undefined, privateDestinations: { networks: [], hosts: [] }, mail },
        origin: () => 'https://culvert.example',
        random: () => 0,
      })
      clock.now += limits.alertRetryMaxMs
      await deliverer.deliver()
      await deliverer.stop()
    },
    delivery: () =>
      store.db
        .selectFrom('alert_deliveries')
        .select(['status', 'attempt_count'])
        .executeTakeFirstOrThrow()
        .then((row) => `${row.status} ${row.attempt_count}`),
    destination: () => findDestination(store.db, { organizationId, destinationId }),
  }
}

async function startMailServer(options: Parameters<typeof startSmtpReceiver>[0] = {}) {
  const receiver = await startSmtpReceiver(options)
  onTestFinished(() => receiver.close())
  return receiver
}

it('a mail is retried after every temporary failure of its server, and arrives once, by STARTTLS with a login', async () => {
  const { deliverBy, delivery, destination } = await openWaitingMail()
  const dropping = createServer((socket) => void socket.destroy())
  const droppingPort = await listenLocally(dropping)
  onTestFinished(() => void dropping.close())
  await deliverBy(`smtp://localhost:${droppingPort}`)
  expect(await delivery()).toBe('waiting 1')
  const busy = await startMailServer({
    onMailFrom: (_address, _session, callback) => callback(smtpError(421, '4.3.2 too busy')),
  })
  await deliverBy(`smtp://localhost:${busy.port}`)
  const greylisting = await startMailServer({
    onRcptTo: (_address, _session, callback) => callback(smtpError(451, '4.7.1 greylisted')),
  })
  await deliverBy(`smtp://localhost:${greylisting.port}`)
  expect(await destination()).toMatchObject({ lastError: expect.stringContaining('greylisted') as string })
  const { port, mails } = await startMailServer({ ...certificate, allowInsecureAuth: false })
  await deliverBy(`smtp://culvert:wrong@localhost:${port}`)
  expect([await delivery(), mails.length]).toEqual(['waiting 4', 0])
  await deliverBy(`smtp://culvert:right@localhost:${port}`)
  await deliverBy(`smtp://culvert:right@localhost:${port}`)
  expect(await delivery()).toBe('sent 5')
  expect(mails).toMatchObject([{ to: ['ops@example.com'], isEncrypted: true, user: 'culvert' }])
  expect(await destination()).toMatchObject({ failingSince: undefined, lastError: undefined })
})

it('a mail to an address that does not exist is not sent again, and its destination is disabled', async () => {
  const { deliverBy, delivery, destination } = await openWaitingMail()
  const { port, mails } = await startMailServer({
    onRcptTo: (_address, _session, callback) => callback(smtpError(550, '5.1.1 no such user')),
  })
  await deliverBy(`smtp://localhost:${port}`)
  await deliverBy(`smtp://localhost:${port}`)
  expect([await delivery(), mails.length]).toEqual(['failed 1', 0])
  expect((await destination())?.disabledReason).toContain('no such user')
})

it.each([
  [limits.alertMailExpiryMs - 1, 'sent 1', ['sent 24 h late']],
  [limits.alertMailExpiryMs, 'expired 0', []],
])('a mail is retried for a day, and contains its delay: after %i ms', async (afterMs, status, delays) => {
  const { clock, deliverBy, delivery } = await openWaitingMail()
  const { port, mails } = await startMailServer()
  clock.now += afterMs - limits.alertRetryMaxMs
  await deliverBy(`smtp://localhost:${port}`)
  expect(await delivery()).toBe(status)
  expect(mails.map(({ raw }) => /sent \d+ h late/.exec(parseMail(raw).text)?.[0])).toEqual(delays)
})
