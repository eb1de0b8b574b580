import type { ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addDestination, changeDestination } from '#server/alerts/manage-destinations.ts'
import { sendTestMessage } from '#server/alerts/test-message.ts'
import { limits } from '#server/limits.ts'
import { leaseDeliveries } from '#server/store/alerts/deliveries/leases.ts'
import { formatDeliveryMessage } from '#server/store/alerts/deliveries/message.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import {
  ruleForEverything,
  loopback,
  openAlerts,
  organizationId,
  secret,
  startReceiver,
  acceptCall,
} from '#test/alert-deliveries.ts'
import { listenLocally } from '#test/listen-locally.ts'
import { testNow } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'

describe('messages of alerts', () => {
  it('reach the destination of a rule, and are recorded with the answer', async () => {
    const { receive, addReceiver, createDeliverer, list, store } = await openAlerts()
    const receiver = await startReceiver()
    await addReceiver(receiver)
    await receive('a')
    await createDeliverer().deliver()
    expect(receiver.bodies).toHaveLength(1)
    expect(receiver.bodies[0]).toMatchObject({
      type: 'issue.new',
      data: { rules: [{ name: 'Everything' }], issues: [{ transition: 'new', eventCount: 1 }] },
    })
    expect(await list()).toEqual(['sent 1'])
    const attempts = await store.db.selectFrom('alert_attempts').selectAll().execute()
    expect(attempts).toMatchObject([{ status: 200, answer: 'ok' }])
  })

  it('are sent once by several processes', async () => {
    const { store, receive, addReceiver, createDeliverer, list } = await openAlerts()
    const receiver = await startReceiver()
    await addReceiver(receiver)
    const other = createDeliverer(await store.openAgain())
    const own = createDeliverer()
    await receive('a')
    await Promise.all([own.deliver(), other.deliver(), own.deliver()])
    expect(receiver.bodies).toHaveLength(1)
    expect(await list()).toEqual(['sent 1'])
  })

  it('are sent again after a failure, with growing delays, and the destination is marked as failing', async () => {
    const { clock, receive, addReceiver, createDeliverer, list, find } = await openAlerts()
    const receiver = await startReceiver()
    receiver.behave((response) => response.writeHead(503).end('down for maintenance'))
    const id = await addReceiver(receiver)
    const deliverer = createDeliverer()
    await receive('a')
    await deliverer.deliver()
    await deliverer.deliver()
    expect(await list()).toEqual(['waiting 1'])
    expect(await find(id)).toMatchObject({ failingSince: testNow, lastError: '503 down for maintenance' })
    clock.now += limits.alertRetryMs / 2
    await deliverer.deliver()
    clock.now += limits.alertRetryMs / 2
    await deliverer.deliver()
    expect(await list()).toEqual(['waiting 2'])
    receiver.behave((response) => response.end('ok'))
    clock.now += limits.alertRetryMs
    await deliverer.deliver()
    expect(await list()).toEqual(['sent 3'])
    expect([...deliverer.attemptCounts]).toEqual([
      ['webhook retry', 2],
      ['webhook delivered', 1],
    ])
    expect(await find(id)).toMatchObject({ failingSince: undefined, lastError: undefined })
  })

  it('wait as long as the receiver requests', async () => {
    const { clock, receive, addReceiver, createDeliverer } = await openAlerts()
    const receiver = await startReceiver()
    receiver.behave((response) => response.writeHead(429, { 'retry-after': '600' }).end())
    await addReceiver(receiver)
    const deliverer = createDeliverer()
    await receive('a')
    await deliverer.deliver()
    clock.now += 599_000
    await deliverer.deliver()
    expect(receiver.bodies).toHaveLength(1)
    clock.now += 1_000
    await deliverer.deliver()
    expect(receiver.bodies).toHaveLength(2)
    expect(receiver.bodies[1]).toMatchObject({ data: { issues: [{ lateBySeconds: 600 }] } })
  })

  it.each([{ isRestarted: true }, { isRestarted: false }])(
    'do not wait until a clock that was set back has caught up (restarted: $isRestarted)',
    async ({ isRestarted }) => {
      const { store, clock, receive, addReceiver, createDeliverer, list } = await openAlerts()
      const sorted = async () => (await list()).toSorted()
      const receiver = await startReceiver()
      receiver.behave((response) => response.writeHead(503).end())
      await addReceiver(receiver)
      const before = createDeliverer()
      await receive('a')
      await before.deliver()
      await receive('b')
      expect(await sorted()).toEqual(['waiting 0', 'waiting 1'])
      receiver.behave(acceptCall)
      clock.now -= 10 * hourMs
      const after = isRestarted ? createDeliverer(await store.openAgain()) : before
      await after.deliver()
      expect(await sorted()).toEqual(['sent 2', 'waiting 0'])
      clock.now += limits.alertGroupMs
      await after.deliver()
      expect(await sorted()).toEqual(['sent 1', 'sent 2'])
    },
  )

  it('do not wait for the lease of a process that ended before the clock was set back', async () => {
    const { store, clock, receive, addReceiver, createDeliverer, list } = await openAlerts()
    await addReceiver(await startReceiver())
    await receive('a')
    await leaseDeliveries(store, { now: clock.now, counts: { mail: 1, http: 1 } })
    clock.now -= 10 * hourMs
    await createDeliverer().deliver()
    expect(await list()).toEqual(['sent 2'])
  })

  it('are not collected by messages from before the clock was set back', async () => {
    const { clock, receive, addReceiver, createDeliverer, list } = await openAlerts()
    await addReceiver(await startReceiver())
    const deliverer = createDeliverer()
    await receive('a')
    await deliverer.deliver()
    await receive('b')
    clock.now -= 10 * hourMs
    await receive('c')
    await deliverer.deliver()
    expect((await list()).toSorted()).toEqual(['sent 1', 'sent 1', 'waiting 0'])
  })

  it('end with a destination that answers 410, which is disabled', async () => {
    const { receive, addReceiver, createDeliverer, list, find } = await openAlerts()
    const receiver = await startReceiver()
    receiver.behave((response) => response.writeHead(410).end('gone'))
    const id = await addReceiver(receiver)
    await receive('a')
    await createDeliverer().deliver()
    expect(await list()).toEqual(['failed 1'])
    expect(await find(id)).toMatchObject({ disabledAt: testNow, disabledReason: 'gone' })
    await receive('b')
    expect(await list()).toEqual(['failed 1'])
  })

  it('to one receiver do not wait for another one that does not answer', async () => {
    const { receive, addReceiver, createDeliverer, list } = await openAlerts()
    const [silent, quick] = [await startReceiver(), await startReceiver()]
    silent.behave(() => undefined)
    await addReceiver(silent)
    await addReceiver(quick)
    await receive('a')
    const deliverer = createDeliverer()
    const delivering = deliverer.deliver()
    await expect.poll(() => quick.bodies).toHaveLength(1)
    await expect.poll(async () => (await list()).toSorted()).toEqual(['sent 1', 'waiting 1'])
    await deliverer.stop()
    await delivering
  })

  it('to one receiver are all sent in one run', async () => {
    const { store, clock, receive, addReceiver, createDeliverer, list } = await openAlerts()
    const receiver = await startReceiver()
    await addReceiver(receiver)
    for (const name of ['a', 'b', 'c']) {
      await receive(name)
      // Otherwise the next one would be added to the waiting message.
      await store.writer.updateTable('alert_deliveries').set({ attempt_count: 1 }).execute()
    }
    clock.now += limits.alertGroupMs
    await createDeliverer().deliver()
    expect(receiver.bodies).toHaveLength(3)
    expect(await list()).toEqual(['sent 2', 'sent 2', 'sent 2'])
  })

  it('to chats do not wait for a mail server that does not answer', async () => {
    const { store, receive, addReceiver, createDeliverer } = await openAlerts()
    const hanging = createTcpServer(() => undefined)
    const port = await listenLocally(hanging)
    onTestFinished(() => void hanging.close())
    const quick = await startReceiver()
    const mailCount = 2 * limits.alertMailsAtOnce
    for (let at = 0; at < mailCount; at += 1)
      await addDestination({ store, secret }, organizationId, {
        name: `Mail ${at}`,
        channel: 'email',
        values: { to: `ops${at}@example.com` },
      })
    const mails = await store.db.selectFrom('alert_destinations').select('id').execute()
    await recordAlertRule(store, {
      organizationId,
      rule: { ...ruleForEverything, actions: mails.map(({ id }) => ({ kind: 'destination', id })) },
    })
    await addReceiver(quick)
    await receive('a')
    const deliverer = createDeliverer(store, loopback, `smtp://127.0.0.1:${port}`)
    const delivering = deliverer.deliver()
    await expect.poll(() => quick.bodies).toHaveLength(1)
    await expect.poll(() => promisify(hanging.getConnections.bind(hanging))()).toBe(limits.alertMailsAtOnce)
    await deliverer.stop()
    await delivering
  }, 60_000)

  it('that took longer than their lease are not sent a third time', async () => {
    const { store, clock, receive, addReceiver, createDeliverer, list } = await openAlerts()
    const receiver = await startReceiver()
    const waiting: ServerResponse[] = []
    receiver.behave((response) => void waiting.push(response))
    await addReceiver(receiver)
    await receive('a')
    const slow = createDeliverer().deliver()
    await expect.poll(() => waiting).toHaveLength(1)
    clock.now += limits.alertLeaseMs
    receiver.behave(acceptCall)
    await createDeliverer(await store.openAgain()).deliver()
    expect(await list()).toEqual(['sent 2'])
    waiting[0]?.writeHead(503).end('too late')
    await slow
    expect(await list()).toEqual(['sent 2'])
    const attempts = await store.db.selectFrom('alert_attempts').select('status').orderBy('at').execute()
    expect(attempts).toEqual([{ status: 503 }, { status: 200 }])
  })

  it('expire instead of being sent late', async () => {
    const { clock, receive, addReceiver, createDeliverer, list } = await openAlerts()
    const receiver = await startReceiver()
    await addReceiver(receiver)
    await receive('a')
    clock.now += limits.alertExpiryMs
    await createDeliverer().deliver()
    expect([receiver.bodies.length, await list()]).toEqual([0, ['expired 0']])
  })

  it('are not sent to an address that the operator has not allowed', async () => {
    const { receive, addReceiver, createDeliverer, list, find } = await openAlerts()
    const receiver = await startReceiver()
    const id = await addReceiver(receiver)
    await receive('a')
    await createDeliverer(undefined, { networks: [], hosts: [] }).deliver()
    expect(receiver.bodies).toEqual([])
    expect(await list()).toEqual(['failed 1'])
    expect((await find(id))?.lastError).toContain('CULVERT_ALLOW_PRIVATE_DESTINATIONS=127.0.0.1:')
  })

  it('wait while the secret of their destination cannot be decrypted', async () => {
    const { store, clock, receive, createDeliverer, list, find } = await openAlerts()
    const receiver = await startReceiver()
    const values = { url: receiver.url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` }
    const entered = { name: 'Signed', channel: 'webhook', values }
    const added = await addDestination({ store, secret: 'another secret' }, organizationId, entered)
    const id = added.ok ? added.destinationId : ''
    await recordAlertRule(store, {
      organizationId,
      rule: { ...ruleForEverything, actions: [{ kind: 'destination', id }] },
    })
    await receive('a')
    const deliverer = createDeliverer()
    await deliverer.deliver()
    expect([receiver.bodies.length, await list()]).toEqual([0, ['waiting 1']])
    const destination = await find(id)
    expect(destination?.lastError).toContain('encrypted with another CULVERT_SECRET')
    const parts = { store, secret, origin: 'https://culvert.example', deliverer }
    expect(destination && (await sendTestMessage(parts, destination))).toMatchObject({ verdict: 'retry' })
    await changeDestination({ store, secret }, { organizationId, destinationId: id }, entered)
    clock.now += limits.alertRetryMs
    await deliverer.deliver()
    expect([receiver.bodies.length, await list()]).toEqual([1, ['sent 2']])
  })

  it('about deleted issues are cancelled', async () => {
    const { store, receive, addReceiver, createDeliverer, list } = await openAlerts()
    const receiver = await startReceiver()
    await addReceiver(receiver)
    await receive('a')
    const transition = {
      projectId: 1,
      issueId: 5,
      transition: 'new',
      at: 0,
      transitionId: '',
      ruleIds: [],
    } as const
    const message = formatDeliveryMessage([{ ...transition, ruleIds: [] }])
    await store.writer.updateTable('alert_deliveries').set({ message }).execute()
    await createDeliverer().deliver()
    expect([receiver.bodies.length, await list()]).toEqual([0, ['cancelled 1']])
  })
})

describe('a storm', () => {
  it('ends in a summary and a digest, which link to the collected alerts', async () => {
    const { store, clock, receive, addReceiver, createDeliverer } = await openAlerts()
    const receiver = await startReceiver()
    await addReceiver(receiver)
    const deliverer = createDeliverer()
    for (let at = 0; at < limits.alertStormCount + 2; at += 1) {
      await receive(`issue ${at}`)
      await deliverer.deliver()
      clock.now += limits.alertGroupMs
    }
    clock.now += limits.alertStormMs
    await deliverer.deliver()
    const digests = store.db.selectFrom('alert_deliveries').select('id').where('kind', '=', 'digest')
    const { id } = await digests.executeTakeFirstOrThrow()
    const held = `https://culvert.example/alerts?message=${id}`
    expect(receiver.bodies.slice(limits.alertStormCount - 1)).toMatchObject([
      { type: 'issue.new', data: { urls: expect.not.objectContaining({ held }) as unknown } },
      { type: 'alerts.storm', data: { urls: { held } } },
      { type: 'alerts.digest', data: { urls: { held } } },
    ])
  })
})

describe('a test message', () => {
  it('shows the newest issue, is marked as a test, and returns the answer', async () => {
    const { store, receive, addReceiver, createDeliverer, find } = await openAlerts()
    const receiver = await startReceiver()
    const id = await addReceiver(receiver)
    const destination = await find(id)
    if (destination === undefined) throw new Error('no destination')
    const deliverer = createDeliverer()
    const parts = { store, secret, origin: 'https://culvert.example', deliverer }
    expect(await sendTestMessage(parts, destination)).toMatchObject({ verdict: 'delivered', status: 200 })
    await receive('a')
    await sendTestMessage(parts, destination)
    expect(receiver.bodies).toMatchObject([
      { type: 'alerts.test', data: { issues: [{ shortId: 'EXAMPLE-1' }] } },
      { type: 'alerts.test', data: { issues: [{ eventCount: 1 }] } },
    ])
  })
})
