import { readDeliveryContent } from '#server/store/alerts/deliveries/content.ts'
import type { DeliveryMessage } from '#server/store/alerts/deliveries/message.ts'
import { createDestinationId, type StoredDestination } from '#server/store/alerts/destinations.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import type { Store } from '#server/store/store.ts'
import type { AlertDeliverer } from './deliverer.ts'
import { toAlertMessage } from './delivery-text.ts'
import { openDestination, unreadableSecret } from './manage-destinations.ts'
import type { AlertAnswer, AlertMessage } from './message.ts'
import { createUnsubscribeLink } from './unsubscribe-link.ts'

/**
 * Sends a test to a destination, with the newest issue of its organization or an example, and returns the
 * receiver's answer. Nothing is recorded.
 */
export async function sendTestMessage(
  parts: {
    store: Store
    secret: string | undefined
    origin: string
    deliverer: Pick<AlertDeliverer, 'send'>
  },
  destination: StoredDestination,
): Promise<AlertAnswer> {
  const { store, secret, origin, deliverer } = parts
  const message = await makeTestMessage(store, destination, { origin, secret })
  const opened = await openDestination({ store, secret }, destination)
  if (destination.sealedSecret !== undefined && opened.secret === undefined) return unreadableSecret
  return deliverer.send(message, opened, { deliveryId: `test-${createDestinationId()}` })
}

async function makeTestMessage(
  store: Store,
  { id, channel, organizationId }: StoredDestination,
  { origin, secret }: { origin: string; secret: string | undefined },
): Promise<AlertMessage> {
  const now = store.clock()
  const receiver = { kind: 'destination', id } as const
  const links =
    channel === 'email'
      ? {
          origin,
          unsubscribe: createUnsubscribeLink(origin, await readInstallationSecret(store, secret), receiver),
        }
      : { origin }
  const newest = await store.db
    .selectFrom('issues as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(['i.project_id', 'i.id'])
    .where('p.organization_id', '=', organizationId)
    .orderBy('i.first_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const transitions: DeliveryMessage['transitions'] =
    newest === undefined
      ? []
      : [
          {
            projectId: newest.project_id,
            issueId: newest.id,
            transition: 'new',
            at: now,
            transitionId: '',
            ruleIds: [],
          },
        ]
  const content = await readDeliveryContent(store.db, organizationId, transitions)
  const delivery: DeliveryMessage = { kind: 'test', transitions, moreCount: 0 }
  const message = toAlertMessage(delivery, content, { links, now })
  return message ?? makeExample(content.organization, origin, now)
}

function makeExample(organization: string, origin: string, now: number): AlertMessage {
  const list = `${origin}/issues`
  return {
    kind: 'test',
    organization,
    project: { slug: 'example', name: 'Example' },
    rules: [],
    items: [
      {
        transition: 'new',
        at: now,
        issue: {
          shortId: 'EXAMPLE-1',
          title: 'TypeError: an example, because there is no issue yet',
          culprit: 'example.ts in checkout',
          level: 'error',
          url: list,
          firstSeenAt: now,
          lastSeenAt: now,
          eventCount: 1,
          userCount: 1,
        },
      },
    ],
    moreCount: 0,
    urls: { mute: list, rule: list, list },
  }
}
