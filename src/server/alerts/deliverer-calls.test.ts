import type { ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { addDestination } from '#server/alerts/manage-destinations.ts'
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

describe('messages of alerts in a function', () => {
  it('are not awaited for longer than the function may run', async () => {
    const { receive, addReceiver, createDeliverer, list } = await openAlerts()
    const receiver = await startReceiver()
    receiver.behave(() => {})
    await addReceiver(receiver)
    await receive('a')
    const deliverer = createDeliverer()
    expect(await deliverer.deliver({ sendMs: 60_000, awaitMs: 100 })).toBe('done')
    expect(await list()).toEqual(['waiting 0'])
  })

  it('that it could not finish are sent by the next call, of any function', async () => {
    const { store, receive, addReceiver, createDeliverer, list } = await openAlerts()
    const receiver = await startReceiver()
    receiver.behave(() => {})
    await addReceiver(receiver)
    await receive('a')
    const suspended = createDeliverer()
    await suspended.deliver({ sendMs: 60_000, awaitMs: 200 })
    receiver.behave(acceptCall)
    const bounds = { sendMs: 10_000, awaitMs: 10_000 }
    expect(await createDeliverer(await store.openAgain()).deliver(bounds)).toBe('done')
    expect(await list()).toEqual(['sent 1'])
    // The first one continues meanwhile.
    await store.writer.updateTable('alert_deliveries').set({ status: 'waiting' }).execute()
    expect(await suspended.deliver(bounds)).toBe('done')
    expect(await list()).toEqual(['sent 2'])
  })

  it('are not aborted at the end of a call while another one waits for them', async () => {
    const { receive, addReceiver, createDeliverer, list } = await openAlerts()
    const receiver = await startReceiver()
    const waiting: ServerResponse[] = []
    receiver.behave((response) => void waiting.push(response))
    await addReceiver(receiver)
    await receive('a')
    const deliverer = createDeliverer()
    const longer = deliverer.deliver({ sendMs: 10_000, awaitMs: 30_000 })
    await expect.poll(() => waiting).toHaveLength(1)
    await deliverer.deliver({ sendMs: 10_000, awaitMs: 100 })
    expect(await list()).toEqual(['waiting 1'])
    waiting[0]?.end('ok')
    expect(await longer).toBe('done')
    expect(await list()).toEqual(['sent 1'])
  })

  it('by mail that it could not finish are released as well', async () => {
    const { store, receive, createDeliverer, list } = await openAlerts()
    const hanging = createTcpServer(() => undefined)
    const port = await listenLocally(hanging)
    onTestFinished(() => void hanging.close())
    const entered = { name: 'Mail', channel: 'email', values: { to: 'ops@example.com' } }
    const added = await addDestination({ store, secret }, organizationId, entered)
    if (!added.ok) throw new Error(JSON.stringify(added.problems))
    const actions = [{ kind: 'destination' as const, id: added.destinationId }]
    await recordAlertRule(store, { organizationId, rule: { ...ruleForEverything, actions } })
    await receive('a')
    const deliverer = createDeliverer(store, loopback, `smtp://127.0.0.1:${port}`)
    await deliverer.deliver({ sendMs: 10_000, awaitMs: 1_000 })
    expect(await list()).toEqual(['waiting 0'])
  })
})
