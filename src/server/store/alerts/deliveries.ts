import type { ExpressionBuilder, Transaction } from 'kysely'
import { planDelivery } from '#alerts/delivery-plan.ts'
import type { RecentDelivery } from '#alerts/delivery-plan.ts'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import { createActivityId } from '#server/store/triage/activity.ts'
import { parseDeliveryMessage } from './delivery-message.ts'
import type { DeliveryMessage, DeliveryTransition } from './delivery-message.ts'

/** Who gets a message: a destination, or a user by e-mail. */
export type DeliveryReceiver =
  | { destinationId: string; isMail: boolean }
  | { userId: string; isDigest: boolean }

/** Transitions of one project for one receiver. `now` in Unix milliseconds. */
export interface QueuedDelivery {
  organizationId: number
  projectId: number
  receiver: DeliveryReceiver
  /** In quiet hours: their end. */
  heldUntil?: number | undefined
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
  const { receiver, transitions, projectId, heldUntil, now } = queued
  if (heldUntil !== undefined) return queueHeld(tx, queued, heldUntil)
  const recent = await listRecent(tx, receiver, now)
  const isDigest = 'userId' in receiver && receiver.isDigest
  const plan = planDelivery(
    recent.map(({ recency }) => recency),
    { projectId, isDigest, now },
    bounds,
  )
  if ('to' in plan) {
    const known = recent.find(({ recency }) => recency.id === plan.to)?.message
    if (known === undefined) throw new Error(`a plan names the unknown delivery ${plan.to}`)
    const message = JSON.stringify(addTransitions(known, transitions))
    await tx.updateTable('alert_deliveries').set({ message }).where('id', '=', plan.to).execute()
    return plan.to
  }
  if (plan.isStormBegin) await insertDelivery(tx, queued, { kind: 'storm', dueAt: now })
  return insertDelivery(tx, queued, plan)
}

/** What quiet hours hold is one message at their end. */
async function queueHeld(tx: Transaction<Database>, queued: QueuedDelivery, dueAt: number): Promise<string> {
  const waiting = await tx
    .selectFrom('alert_deliveries')
    .select(['id', 'message'])
    .where('status', '=', 'waiting')
    .where('due_at', '=', dueAt)
    .where(isFor(queued.receiver))
    .execute()
  for (const { id, message } of waiting) {
    const known = parseDeliveryMessage(message)
    if (known.kind !== 'quiet') continue
    const added = JSON.stringify(addTransitions(known, queued.transitions))
    await tx.updateTable('alert_deliveries').set({ message: added }).where('id', '=', id).execute()
    return id
  }
  return insertDelivery(tx, queued, { kind: 'quiet', dueAt })
}

function isFor(receiver: DeliveryReceiver) {
  return (is: ExpressionBuilder<Database, 'alert_deliveries'>) =>
    'userId' in receiver
      ? is('user_id', '=', receiver.userId)
      : is('destination_id', '=', receiver.destinationId)
}

async function insertDelivery(
  tx: Transaction<Database>,
  { organizationId, receiver, transitions, now }: QueuedDelivery,
  { kind, dueAt }: { kind: DeliveryMessage['kind']; dueAt: number },
): Promise<string> {
  const id = createActivityId(now)
  const isMail = 'userId' in receiver || receiver.isMail
  await tx
    .insertInto('alert_deliveries')
    .values({
      id,
      organization_id: organizationId,
      destination_id: 'destinationId' in receiver ? receiver.destinationId : null,
      user_id: 'userId' in receiver ? receiver.userId : null,
      message: JSON.stringify(addTransitions({ kind, transitions: [], moreCount: 0 }, transitions)),
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

function addTransitions(
  { kind, transitions, moreCount }: DeliveryMessage,
  added: readonly DeliveryTransition[],
): DeliveryMessage {
  const all = [...transitions, ...added]
  const kept = all.slice(0, limits.alertTransitionsPerDelivery)
  return { kind, transitions: kept, moreCount: moreCount + all.length - kept.length }
}

async function listRecent(tx: Transaction<Database>, receiver: DeliveryReceiver, now: number) {
  const rows = await tx
    .selectFrom('alert_deliveries')
    .select(['id', 'message', 'created_at', 'due_at', 'status', 'attempt_count', 'leased_until'])
    .where(isFor(receiver))
    .where('created_at', '>', now - Math.max(2 * bounds.stormMs, bounds.digestMs))
    .orderBy('created_at', 'desc')
    .limit(limits.alertDeliveriesRead)
    .execute()
  return rows.map((row) => {
    const message = parseDeliveryMessage(row.message)
    const recency: RecentDelivery = {
      id: row.id,
      kind: message.kind,
      projectId: message.transitions[0]?.projectId ?? 0,
      createdAt: row.created_at,
      dueAt: row.due_at,
      isOpen: row.status === 'waiting' && row.attempt_count === 0 && row.leased_until === null,
      transitionCount: message.transitions.length + message.moreCount,
    }
    return { recency, message }
  })
}
