import { sql, type Transaction } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { parseDeliveryMessage, type DeliveryMessage } from './delivery-message.ts'

/** A message that this process sends until `leasedUntil`. Times in Unix milliseconds. */
export interface LeasedDelivery {
  id: string
  organizationId: number
  destinationId?: string
  userId?: string
  message: DeliveryMessage
  /** This attempt counts. */
  attemptCount: number
  expiresAt: number
}

/**
 * Takes messages that are due: of each receiver the oldest, unless another one to it is being sent, so that a
 * receiver that does not answer holds up nobody else. Messages that are too old expire. Of several processes
 * one gets a message; after a crash another one gets it once the lease has ended.
 */
export async function leaseDeliveries(
  store: Store,
  { now, count }: { now: number; count: number },
): Promise<LeasedDelivery[]> {
  // Mostly nothing is due, and a read takes no lock.
  const isAnyDue = await store.db
    .selectFrom('alert_deliveries')
    .select('id')
    .where('status', '=', 'waiting')
    .where('due_at', '<=', now)
    .limit(1)
    .execute()
  if (isAnyDue.length === 0) return []
  return store.writer.transaction().execute(async (tx) => {
    await tx
      .updateTable('alert_deliveries')
      .set({ status: 'expired', finished_at: now })
      .where('status', '=', 'waiting')
      .where('due_at', '<=', now)
      .where('expires_at', '<=', now)
      .where((is) => is.or([is('leased_until', 'is', null), is('leased_until', '<=', now)]))
      .execute()
    const oldest = await listOldestDue(tx, now, count)
    if (oldest.length === 0) return []
    const rows = await tx
      .updateTable('alert_deliveries')
      .set((of) => ({
        leased_until: now + limits.alertLeaseMs,
        attempt_count: of('attempt_count', '+', 1),
      }))
      .where('id', 'in', oldest)
      .returningAll()
      .execute()
    return rows.map((row) => ({
      id: row.id,
      organizationId: row.organization_id,
      destinationId: row.destination_id ?? undefined,
      userId: row.user_id ?? undefined,
      message: parseDeliveryMessage(row.message),
      attemptCount: row.attempt_count,
      expiresAt: row.expires_at,
    }))
  })
}

async function listOldestDue(tx: Transaction<Database>, now: number, count: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('alert_deliveries')
    .select((of) => of.fn.min('id').as('id'))
    .where('status', '=', 'waiting')
    .where('due_at', '<=', now)
    .groupBy(['destination_id', 'user_id'])
    .having(sql<number>`max(coalesce(leased_until, 0))`, '<=', now)
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}

/** An attempt to send a message. */
export interface DeliveryAttempt {
  /** When it began, in Unix milliseconds. */
  at: number
  durationMs: number
  /** Of HTTP or SMTP; absent without an answer. */
  status?: number
  /** The beginning of the answer. */
  answer: string
}

/** What becomes of a message after an attempt. `reference` names it at the receiver, for later edits. */
export type DeliveryOutcome =
  | { status: 'sent'; reference?: string }
  | { status: 'waiting'; dueAt: number }
  | { status: 'failed'; disabledReason?: string }

/** Writes an attempt and its outcome, and whether the destination works. One transaction. */
export function recordAttempt(
  store: Store,
  delivery: LeasedDelivery,
  { attempt, outcome }: { attempt: DeliveryAttempt; outcome: DeliveryOutcome },
): Promise<void> {
  const now = store.clock()
  const answer = attempt.answer.slice(0, limits.alertAnswerCharacters)
  return store.writer.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('alert_deliveries')
      .set({
        status: outcome.status,
        leased_until: null,
        ...(outcome.status === 'waiting' ? { due_at: outcome.dueAt } : { finished_at: now }),
      })
      .where('id', '=', delivery.id)
      .executeTakeFirst()
    // It was deleted with its destination or its person.
    if (numUpdatedRows === 0n) return
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
    const { destinationId } = delivery
    if (destinationId === undefined) return
    await noteDestination(tx, destinationId, { outcome, answer, now })
    if (outcome.status === 'sent' && outcome.reference !== undefined)
      await writeThread(tx, delivery, { destinationId, reference: outcome.reference, at: now })
  })
}

async function noteDestination(
  tx: Transaction<Database>,
  destinationId: string,
  { outcome, answer, now }: { outcome: DeliveryOutcome; answer: string; now: number },
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
      last_error: answer,
      ...(reason !== undefined && { disabled_at: now, disabled_reason: reason }),
    })
    .execute()
}

/** Remembers the message about an issue, for the next one. */
async function writeThread(
  tx: Transaction<Database>,
  { message }: LeasedDelivery,
  thread: { destinationId: string; reference: string; at: number },
): Promise<void> {
  const [only, ...more] = message.transitions
  if (only === undefined || more.length > 0 || message.kind !== 'issues') return
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

/** Ends a message that nobody is to get: its issues or its receiver are gone. */
export async function cancelDelivery(store: Store, deliveryId: string): Promise<void> {
  await store.writer
    .updateTable('alert_deliveries')
    .set({ status: 'cancelled', leased_until: null, finished_at: store.clock() })
    .where('id', '=', deliveryId)
    .execute()
}
