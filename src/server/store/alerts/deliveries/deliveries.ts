import type { ExpressionBuilder, Transaction } from 'kysely'
import { planDelivery } from '#alerts/delivery-plan.ts'
import type { RecentDelivery } from '#alerts/delivery-plan.ts'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import { createActivityId } from '#server/store/triage/activity.ts'
import { formatDeliveryMessage, parseDeliveryKind, parseDeliveryMessage } from './message.ts'
import type { DeliveryMessage, DeliveryTransition } from './message.ts'

/** Who gets a message: a destination, a user by e-mail, or one of their browsers. */
export type DeliveryReceiver =
  | { destinationId: string; isMail: boolean }
  | { userId: string; isDigest: boolean }
  | { pushId: string }

/** Transitions of one project for one receiver. `now` in Unix milliseconds. */
export interface QueuedDelivery {
  organizationId: number
  projectId: number
  receiver: DeliveryReceiver
  /** In quiet hours: their end. */
  heldUntil?: number | undefined
  /** By spike protection of the project: a digest has them. */
  isHeld: boolean
  transitions: readonly DeliveryTransition[]
  now: number
}

const bounds = {
  groupMs: limits.alertGroupMs,
  stormMs: limits.alertStormMs,
  stormCount: limits.alertStormCount,
  digestMs: limits.alertDigestMs,
}

/**
 * Queues a message, or adds to one that waits: see `planDelivery`. Inside the transaction of the decisions.
 * Returns the id of the delivery.
 */
export async function queueDelivery(tx: Transaction<Database>, queued: QueuedDelivery): Promise<string> {
  const { receiver, transitions, projectId, heldUntil, isHeld, now } = queued
  if (heldUntil !== undefined) return queueHeld(tx, queued, heldUntil)
  const recent = await listRecent(tx, receiver, now)
  const isDigest = 'userId' in receiver && receiver.isDigest
  const plan = planDelivery(recent, { projectId, isDigest, isHeld, now }, bounds)
  if ('to' in plan) {
    const known = recent.find(({ id }) => id === plan.to)
    if (known === undefined) throw new Error(`a plan names the unknown delivery ${plan.to}`)
    await addTransitions(tx, known, transitions)
    return plan.to
  }
  if (plan.isStormBegin) await insertDelivery(tx, queued, { kind: 'storm', dueAt: now })
  return insertDelivery(tx, queued, plan)
}

/** What quiet hours hold is one message at their end. */
async function queueHeld(tx: Transaction<Database>, queued: QueuedDelivery, dueAt: number): Promise<string> {
  const waiting = await tx
    .selectFrom('alert_deliveries')
    .select(['id', 'transition_count as transitionCount'])
    .where('status', '=', 'waiting')
    .where('due_at', '=', dueAt)
    .where('kind', '=', 'quiet')
    .where(isFor(queued.receiver))
    .executeTakeFirst()
  if (waiting === undefined) return insertDelivery(tx, queued, { kind: 'quiet', dueAt })
  await addTransitions(tx, waiting, queued.transitions)
  return waiting.id
}

function isFor(receiver: DeliveryReceiver) {
  return (is: ExpressionBuilder<Database, 'alert_deliveries'>) => {
    if ('userId' in receiver) return is('user_id', '=', receiver.userId)
    if ('pushId' in receiver) return is('push_id', '=', receiver.pushId)
    return is('destination_id', '=', receiver.destinationId)
  }
}

async function insertDelivery(
  tx: Transaction<Database>,
  { organizationId, projectId, receiver, transitions, now }: QueuedDelivery,
  { kind, dueAt }: { kind: DeliveryMessage['kind']; dueAt: number },
): Promise<string> {
  const id = createActivityId(now)
  const isMail = 'userId' in receiver || ('isMail' in receiver && receiver.isMail)
  await tx
    .insertInto('alert_deliveries')
    .values({
      id,
      organization_id: organizationId,
      destination_id: 'destinationId' in receiver ? receiver.destinationId : null,
      user_id: 'userId' in receiver ? receiver.userId : null,
      push_id: 'pushId' in receiver ? receiver.pushId : null,
      kind,
      first_project_id: projectId,
      transition_count: transitions.length,
      message: formatDeliveryMessage(transitions.slice(0, limits.alertTransitionsPerDelivery)),
      created_at: now,
      due_at: dueAt,
      expires_at: dueAt + (isMail ? limits.alertMailExpiryMs : limits.alertExpiryMs),
      leased_until: null,
      status: 'waiting',
      finished_at: null,
    })
    .execute()
  return id
}

/** Adds transitions to a message that waits. A long one is neither read nor written: the rest is counted. */
async function addTransitions(
  tx: Transaction<Database>,
  { id, transitionCount }: { id: string; transitionCount: number },
  added: readonly DeliveryTransition[],
): Promise<void> {
  const room = limits.alertTransitionsPerDelivery - transitionCount
  const row =
    room > 0
      ? await tx
          .selectFrom('alert_deliveries')
          .select(['kind', 'message', 'transition_count'])
          .where('id', '=', id)
          .executeTakeFirst()
      : undefined
  const message =
    row && formatDeliveryMessage([...parseDeliveryMessage(row).transitions, ...added.slice(0, room)])
  await tx
    .updateTable('alert_deliveries')
    .set({ transition_count: transitionCount + added.length, ...(message !== undefined && { message }) })
    .where('id', '=', id)
    .execute()
}

async function listRecent(
  tx: Transaction<Database>,
  receiver: DeliveryReceiver,
  now: number,
): Promise<RecentDelivery[]> {
  const rows = await tx
    .selectFrom('alert_deliveries')
    .select(['id', 'kind', 'first_project_id', 'transition_count', 'created_at', 'due_at'])
    .select(['status', 'attempt_count', 'leased_until'])
    .where(isFor(receiver))
    .where('created_at', '>', now - Math.max(2 * bounds.stormMs, bounds.digestMs))
    .orderBy('created_at', 'desc')
    .limit(limits.alertDeliveriesRead)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    kind: parseDeliveryKind(row.kind),
    projectId: row.first_project_id,
    createdAt: row.created_at,
    dueAt: row.due_at,
    isOpen: row.status === 'waiting' && row.attempt_count === 0 && row.leased_until === null,
    transitionCount: row.transition_count,
  }))
}
