import { sql, type Selectable } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Database, Tx } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseDeliveryMessage, type DeliveryMessage } from './message.ts'

/** A message that this process sends until `leasedUntil`. Times in Unix milliseconds. */
export interface LeasedDelivery {
  id: string
  transport: DeliveryTransport
  organizationId: number
  destinationId?: string
  userId?: string
  /** A user's browser. */
  pushId?: string
  message: DeliveryMessage
  /** Includes the current attempt. */
  attemptCount: number
  createdAt: number
  expiresAt: number
}

/** The transport of a message: the mail server, or HTTP to the receiver. */
export type DeliveryTransport = 'mail' | 'http'

/**
 * Leases due messages: the oldest per receiver, unless another one to it is being sent, so that a receiver
 * that does not answer does not delay the others. `counts` is the maximum per transport, because all mails
 * use one server. Messages that are too old expire. Only one of several processes gets a message; after a
 * crash another one gets it once the lease has expired.
 */
export async function leaseDeliveries(
  store: Store,
  { now, counts }: { now: number; counts: Readonly<Record<DeliveryTransport, number>> },
): Promise<LeasedDelivery[]> {
  // Usually nothing is due, and a read needs no lock.
  const isAnyDue = await store.db
    .selectFrom('alert_deliveries')
    .select('id')
    .where('status', '=', 'waiting')
    .where('due_at', '<=', now)
    .limit(1)
    .execute()
  if (isAnyDue.length === 0) return []
  for (;;) {
    const { leased, unreadableCount } = await leaseOldest(store, { now, counts })
    // The next message to the receiver of an unreadable one may be readable.
    if (leased.length > 0 || unreadableCount === 0) return leased
  }
}

function leaseOldest(
  store: Store,
  { now, counts }: { now: number; counts: Readonly<Record<DeliveryTransport, number>> },
): Promise<{ leased: LeasedDelivery[]; unreadableCount: number }> {
  return store.writer.transaction().execute(async (tx) => {
    await tx
      .updateTable('alert_deliveries')
      .set({ status: 'expired', finished_at: now })
      .where('status', '=', 'waiting')
      .where('due_at', '<=', now)
      .where('expires_at', '<=', now)
      .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<=', now)]))
      .execute()
    const mails = await listOldestDue(tx, { transport: 'mail', now, count: counts.mail })
    const others = await listOldestDue(tx, { transport: 'http', now, count: counts.http })
    const oldest = [...mails, ...others]
    if (oldest.length === 0) return { leased: [], unreadableCount: 0 }
    const rows = await tx
      .updateTable('alert_deliveries')
      .set((of) => ({
        leased_until: now + limits.alertLeaseMs,
        attempt_count: of('attempt_count', '+', 1),
      }))
      .where('id', 'in', oldest)
      // Skips messages that another process leased meanwhile.
      .where('status', '=', 'waiting')
      .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<=', now)]))
      .returningAll()
      .execute()
    const leased = rows.flatMap((row) => toLeased(row, mails.includes(row.id) ? 'mail' : 'http') ?? [])
    const readable = new Set(leased.map(({ id }) => id))
    const unreadable = rows.flatMap(({ id }) => (readable.has(id) ? [] : [id]))
    await failUnreadable(tx, { ids: unreadable, now })
    return { leased, unreadableCount: unreadable.length }
  })
}

/** Undefined if this version cannot read the message. */
function toLeased(row: Selectable<Database['alert_deliveries']>, transport: DeliveryTransport) {
  const message = parseDeliveryMessage(row)
  const leased: LeasedDelivery | undefined = message && {
    id: row.id,
    transport,
    organizationId: row.organization_id,
    destinationId: row.destination_id ?? undefined,
    userId: row.user_id ?? undefined,
    pushId: row.push_id ?? undefined,
    message,
    attemptCount: row.attempt_count,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
  return leased
}

/** Otherwise a message would stay the oldest to its receiver, and delay the others. */
async function failUnreadable(tx: Tx, { ids, now }: { ids: readonly string[]; now: number }): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('alert_deliveries')
    .set({ status: 'failed', leased_until: null, finished_at: now })
    .where('id', 'in', ids)
    .execute()
  const answer = 'This version of Culvert cannot read the message.'
  await tx
    .insertInto('alert_attempts')
    .values(ids.map((id) => ({ delivery_id: id, at: now, status: null, answer, duration_ms: 0 })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function listOldestDue(
  tx: Tx,
  { transport, now, count }: { transport: DeliveryTransport; now: number; count: number },
): Promise<string[]> {
  if (count <= 0) return []
  const rows = await tx
    .selectFrom('alert_deliveries as d')
    .leftJoin('alert_destinations as t', 't.id', 'd.destination_id')
    .select((of) => of.fn.min('d.id').as('id'))
    .where('d.status', '=', 'waiting')
    .where('d.due_at', '<=', now)
    // A user's message has no destination.
    .where(
      sql<string>`case when d.push_id is null then coalesce(t.channel, 'email') else 'push' end`,
      transport === 'mail' ? '=' : '<>',
      'email',
    )
    .groupBy(['d.destination_id', 'd.user_id', 'd.push_id'])
    .having(sql<number>`max(coalesce(d.leased_until, 0))`, '<=', now)
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}

/** Releases a message that was not sent: another process may lease it immediately. */
export async function releaseDelivery(store: Store, { id, attemptCount }: LeasedDelivery): Promise<void> {
  await store.writer
    .updateTable('alert_deliveries')
    .set({ leased_until: null, attempt_count: attemptCount - 1 })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where('attempt_count', '=', attemptCount)
    .execute()
}

/** An attempt to send a message. */
export interface DeliveryAttempt {
  /** When it began, in Unix milliseconds. */
  at: number
  durationMs: number
  /** The HTTP or SMTP status; absent without an answer. */
  status?: number
  /** The beginning of the answer. */
  answer: string
}

/** The state of a message after an attempt. `reference` is its id at the receiver, for later edits. */
export type DeliveryOutcome =
  | { status: 'sent'; reference?: string }
  | { status: 'waiting'; dueAt: number }
  | { status: 'failed'; disabledReason?: string }

/**
 * Records an attempt with its result, and the state of the destination. One transaction. If the attempt took
 * longer than its lease and another process has leased the message, nothing else changes, unless the message
 * was sent.
 */
export function recordAttempt(
  store: Store,
  delivery: LeasedDelivery,
  { attempt, outcome }: { attempt: DeliveryAttempt; outcome: DeliveryOutcome },
): Promise<void> {
  const now = store.clock()
  const answer = attempt.answer.slice(0, limits.alertAnswerCharacters)
  return store.writer.transaction().execute(async (tx) => {
    const known = await tx
      .selectFrom('alert_deliveries')
      .select(['status', 'attempt_count'])
      .where('id', '=', delivery.id)
      .executeTakeFirst()
    // Deleted together with its destination or user.
    if (known === undefined) return
    const isOwn = known.attempt_count === delivery.attemptCount || outcome.status === 'sent'
    if (known.status === 'waiting' && isOwn)
      await tx
        .updateTable('alert_deliveries')
        .set({
          status: outcome.status,
          leased_until: null,
          ...(outcome.status === 'waiting' ? { due_at: outcome.dueAt } : { finished_at: now }),
        })
        .where('id', '=', delivery.id)
        .execute()
    await tx
      .insertInto('alert_attempts')
      .values({
        delivery_id: delivery.id,
        at: attempt.at,
        status: attempt.status ?? null,
        answer,
        duration_ms: attempt.durationMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { destinationId, pushId } = delivery
    // The browser has ended the subscription: deletes it with its messages.
    if (pushId !== undefined && outcome.status === 'failed' && outcome.disabledReason !== undefined)
      await tx.deleteFrom('push_subscriptions').where('id', '=', pushId).execute()
    if (destinationId === undefined) return
    await noteDestination(tx, destinationId, { outcome, error: toErrorText(attempt.status, answer), now })
    if (outcome.status === 'sent' && outcome.reference !== undefined)
      await writeThread(tx, delivery, { destinationId, reference: outcome.reference, at: now })
  })
}

async function noteDestination(
  tx: Tx,
  destinationId: string,
  { outcome, error, now }: { outcome: DeliveryOutcome; error: string; now: number },
): Promise<void> {
  const update = tx.updateTable('alert_destinations').where('id', '=', destinationId)
  if (outcome.status === 'sent') {
    await update
      .set({ failing_since: null, last_error: null })
      .where('failing_since', 'is not', null)
      .execute()
    return
  }
  const reason = outcome.status === 'failed' ? outcome.disabledReason : undefined
  await update
    .set({
      failing_since: sql<number>`coalesce(failing_since, ${now})`,
      last_error: error,
      ...(reason !== undefined && { disabled_at: now, disabled_reason: reason }),
    })
    .execute()
}

/** "503 down for maintenance", or "503" without a text. The answers of mail servers begin with their code. */
function toErrorText(status: number | undefined, answer: string): string {
  if (status === undefined || answer.startsWith(String(status))) return answer
  return `${status} ${answer}`.trim()
}

/** Stores the reference of a message about an issue, for the next message. */
async function writeThread(
  tx: Tx,
  { message }: LeasedDelivery,
  thread: { destinationId: string; reference: string; at: number },
): Promise<void> {
  const [only, ...more] = message.transitions
  if (only === undefined || more.length > 0 || message.kind !== 'issues') return
  // Notices are always separate messages.
  if (only.notice !== undefined) return
  const { destinationId, reference, at } = thread
  await tx
    .insertInto('alert_threads')
    .values({
      project_id: only.projectId,
      issue_id: only.issueId,
      destination_id: destinationId,
      reference,
      at,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'issue_id', 'destination_id']).doUpdateSet({ reference, at }),
    )
    .execute()
}

/** Cancels a message whose issues or receiver no longer exist. */
export async function cancelDelivery(store: Store, deliveryId: string): Promise<void> {
  await store.writer
    .updateTable('alert_deliveries')
    .set({ status: 'cancelled', leased_until: null, finished_at: store.clock() })
    .where('id', '=', deliveryId)
    .execute()
}
