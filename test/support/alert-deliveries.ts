import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterEach, onTestFinished } from 'vitest'
import type { AlertRule } from '#alerts/rule.ts'
import { createAlertDeliverer, type AlertDeliverer } from '#server/alerts/deliverer.ts'
import { addDestination } from '#server/alerts/manage-destinations.ts'
import { createLog } from '#server/log.ts'
import { parseSmtpUrl } from '#server/mail-settings.ts'
import type { PrivateDestinations } from '#server/private-destinations.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { findDestination } from '#server/store/alerts/destinations.ts'
import { recordAlertRule } from '#server/store/alerts/rules.ts'
import type { Store } from '#server/store/store.ts'
import { makeAlertRule } from './alert-rule.ts'
import { serveLocally } from './listen-locally.ts'
import { makeEventRecord, openTestStore, testId, testNow } from './test-store.ts'

export const organizationId = 1
export const secret = 'a secret of the installation, for tests'
const log = createLog('silent')
export const loopback: PrivateDestinations = { networks: ['127.0.0.1/32'], hosts: [] }

export interface WebhookReceiver {
  url: string
  bodies: Record<string, unknown>[]
  behave(answer: (response: ServerResponse) => void): void
}

export const ruleForEverything: AlertRule = makeAlertRule({
  name: 'Everything',
  transitions: ['new', 'regressed'],
  actions: [],
})

export const acceptCall = (response: ServerResponse): void => void response.end('ok')

/** A receiver of webhooks on this machine, which initially accepts everything. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const bodies: Record<string, unknown>[] = []
  let behaviour = acceptCall
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    bodies.push(JSON.parse(await readText(request)) as Record<string, unknown>)
    behaviour(response)
  }
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  const { origin, close } = await serveLocally(server)
  onTestFinished(close)
  return { url: `${origin}/hook`, bodies, behave: (next) => void (behaviour = next) }
}

const deliverers: AlertDeliverer[] = []
afterEach(() => Promise.all(deliverers.splice(0).map((deliverer) => deliverer.stop())))

export async function openAlerts() {
  const clock = { now: testNow }
  const store = await openTestStore({ clock: () => clock.now })
  await store.writer.deleteFrom('alert_rules').execute()
  const createDeliverer = (on: Store = store, privateDestinations = loopback, smtpUrl = '') => {
    const server = parseSmtpUrl(smtpUrl)
    const mail = server && { server, from: 'Culvert <culvert@example.com>' }
    const deliverer = createAlertDeliverer({
      store: on,
      log,
      env: { secret, privateDestinations, mail },
      origin: () => 'https://culvert.example',
      random: () => 0,
    })
    deliverers.push(deliverer)
    return deliverer
  }
  const addReceiver = async (receiver: WebhookReceiver) => {
    const entered = { name: receiver.url, channel: 'webhook', values: { url: receiver.url } }
    const added = await addDestination({ store, secret }, organizationId, entered)
    if (!added.ok) throw new Error(JSON.stringify(added.problems))
    const { destinationId: id } = added
    await recordAlertRule(store, {
      organizationId,
      rule: { ...ruleForEverything, actions: [{ kind: 'destination', id }] },
    })
    return id
  }
  return {
    store,
    clock,
    createDeliverer,
    addReceiver,
    receive: async (...names: string[]) => {
      const events = names.map((name) =>
        makeEventRecord({ eventId: testId(`event ${name}`), groupHash: testId(`group ${name}`) }),
      )
      await store.commit(...events)
      while ((await decideWaitingAlerts(store, { now: clock.now, hasMail: false })) > 0);
    },
    list: async () =>
      (
        await store.db
          .selectFrom('alert_deliveries')
          .select(['status', 'attempt_count'])
          .orderBy('id')
          .execute()
      ).map(({ status, attempt_count }) => `${status} ${attempt_count}`),
    find: (destinationId: string) => findDestination(store.db, { organizationId, destinationId }),
  }
}
