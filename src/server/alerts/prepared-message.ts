import type { Env } from '#server/env.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { readDeliveryContent } from '#server/store/alerts/deliveries/content.ts'
import { findHeldDelivery } from '#server/store/alerts/deliveries/held-delivery.ts'
import type { LeasedDelivery } from '#server/store/alerts/deliveries/leases.ts'
import type { DeliveryMessage } from '#server/store/alerts/deliveries/message.ts'
import { countDeliveryTransitions } from '#server/store/alerts/deliveries/project-counts.ts'
import { findDeliveryReceiver } from '#server/store/alerts/deliveries/receiver.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import type { Store } from '#server/store/store.ts'
import { createSecretBox } from './channels/secret-box.ts'
import { toAlertMessage } from './delivery-text.ts'
import { unreadableSecret } from './manage-destinations.ts'
import type { AlertAnswer, AlertMessage, Destination } from './message.ts'
import { createUnsubscribeLink } from './unsubscribe-link.ts'

/** A newer version may read them. */
const unreadableSettings: AlertAnswer = {
  verdict: 'retry',
  answerExcerpt: 'This version of Culvert cannot read the settings of the destination.',
}

interface PreparationOptions {
  store: Store
  log: Log
  env: Pick<Env, 'secret'>
  /** Scheme, host and port of the console. */
  origin: () => string
}

/** A message that is ready to be sent. */
interface PreparedMessage {
  message: AlertMessage
  destination: Destination
  editedRef?: string
  /** The answer of an attempt that cannot be made. */
  problem?: AlertAnswer
}

/**
 * Returns a leased message as it is sent now, with its receiver and the message to edit; undefined if the
 * receiver no longer exists, or may not read about any of its issues. `now`: Unix milliseconds.
 */
export async function prepareMessage(
  leased: LeasedDelivery,
  { store, env, origin, log }: PreparationOptions,
  now: number,
): Promise<PreparedMessage | undefined> {
  const { id, organizationId, destinationId, userId, pushId, message } = leased
  const [only, ...more] = message.transitions
  const isOfIssue = more.length === 0 && message.kind === 'issues' && only?.notice === undefined
  const issue = isOfIssue ? only : undefined
  const counts = await countTransitions(store, leased)
  const [receiver, content, secret, heldId] = await Promise.all([
    findDeliveryReceiver(store.db, {
      destinationId,
      userId,
      pushId,
      projectIds: [...counts.keys()],
      issue,
      threadAfter: now - limits.alertThreadMs,
    }),
    readDeliveryContent(store.db, organizationId, message.transitions),
    readInstallationSecret(store, env.secret),
    findHeldDelivery(store.db, { id, kind: message.kind }),
  ])
  if (receiver === undefined) return undefined
  const text = toAlertMessage(keepReadable(message, counts, receiver.projectIds), content, {
    links: {
      origin: origin(),
      ...(heldId !== undefined && { held: `${origin()}/alerts?message=${encodeURIComponent(heldId)}` }),
      ...((userId ?? pushId) !== undefined && { mute: `${origin()}/settings/notifications` }),
      ...(receiver.destination.kind === 'email' && {
        unsubscribe: createUnsubscribeLink(origin(), secret, {
          kind: userId === undefined ? 'destination' : 'user',
          id: receiver.destination.id,
        }),
      }),
    },
    now,
  })
  if (text === undefined) return undefined
  const { destination, editedRef, sealedSecret, isUnreadable = false } = receiver
  const prepared = {
    message: text,
    destination,
    editedRef,
    problem: isUnreadable ? unreadableSettings : undefined,
  }
  if (sealedSecret === undefined) return prepared
  const opened = createSecretBox(secret).open(sealedSecret, destination.id)
  if (opened !== undefined) return { ...prepared, destination: { ...destination, secret: opened } }
  log.error({ delivery: id }, 'the secret of a destination cannot be read: enter it again')
  // A subscription of a browser is renewed with another secret, not repaired.
  return pushId === undefined ? { ...prepared, problem: unreadableSecret } : prepared
}

/** The number of a message's transitions by project; for a destination only of those that are listed. */
async function countTransitions({ db }: Store, leased: LeasedDelivery): Promise<Map<number, number>> {
  const { message, destinationId } = leased
  const listed = Map.groupBy(message.transitions, ({ projectId }) => projectId)
  const counts = new Map([...listed].map(([projectId, { length }]) => [projectId, length]))
  if (message.moreCount === 0 || destinationId !== undefined) return counts
  for (const [projectId, count] of await countDeliveryTransitions(db, leased))
    counts.set(projectId, Math.max(count, counts.get(projectId) ?? 0))
  return counts
}

/** Removes the transitions of projects that the user has lost access to, and those from the count. */
function keepReadable(
  message: DeliveryMessage,
  counts: ReadonlyMap<number, number>,
  projectIds: ReadonlySet<number> | undefined,
): DeliveryMessage {
  if (projectIds === undefined) return message
  const transitions = message.transitions.filter(({ projectId }) => projectIds.has(projectId))
  const readableCount = [...projectIds].reduce((sum, projectId) => sum + (counts.get(projectId) ?? 0), 0)
  return {
    ...message,
    transitions,
    moreCount: Math.min(readableCount - transitions.length, message.moreCount),
  }
}
