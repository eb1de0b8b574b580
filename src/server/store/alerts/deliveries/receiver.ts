import type { Kysely } from 'kysely'
import * as v from 'valibot'
import type { Database } from '#server/store/schema/database.ts'

/** The receiver of a message. */
export interface DeliveryReceiverRecord {
  destination: { id: string; kind: string; settings: Readonly<Record<string, unknown>> }
  /** Encrypted. */
  sealedSecret?: string
  /** The id of the last message about the issue at the receiver. */
  editedRef?: string
}

const settingsText = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

/**
 * The receiver of a message: a destination, a user by e-mail, or a browser. Undefined if it no longer exists,
 * or the destination is disabled. `issue`: the issue of a message about one issue; `threadAfter` in Unix
 * milliseconds.
 */
export async function findDeliveryReceiver(
  db: Kysely<Database>,
  of: {
    destinationId?: string
    userId?: string
    pushId?: string
    issue?: { projectId: number; issueId: number }
    threadAfter: number
  },
): Promise<DeliveryReceiverRecord | undefined> {
  if (of.userId !== undefined) return findUser(db, of.userId)
  if (of.pushId !== undefined) return findBrowser(db, of.pushId)
  if (of.destinationId === undefined) return undefined
  const [row, thread] = await Promise.all([
    db
      .selectFrom('alert_destinations')
      .select(['id', 'channel', 'settings', 'secrets'])
      .where('id', '=', of.destinationId)
      .where('disabled_at', 'is', null)
      .executeTakeFirst(),
    of.issue &&
      db
        .selectFrom('alert_threads')
        .select('reference')
        .where('project_id', '=', of.issue.projectId)
        .where('issue_id', '=', of.issue.issueId)
        .where('destination_id', '=', of.destinationId)
        .where('at', '>', of.threadAfter)
        .executeTakeFirst(),
  ])
  if (row === undefined) return undefined
  return {
    destination: { id: row.id, kind: row.channel, settings: v.parse(settingsText, row.settings) },
    ...(row.secrets !== null && { sealedSecret: row.secrets }),
    ...(thread && { editedRef: thread.reference }),
  }
}

async function findUser(db: Kysely<Database>, userId: string): Promise<DeliveryReceiverRecord | undefined> {
  const row = await db.selectFrom('users').select(['id', 'email']).where('id', '=', userId).executeTakeFirst()
  return row && { destination: { id: row.id, kind: 'email', settings: { to: row.email } } }
}

async function findBrowser(
  db: Kysely<Database>,
  pushId: string,
): Promise<DeliveryReceiverRecord | undefined> {
  const row = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'secrets'])
    .where('id', '=', pushId)
    .executeTakeFirst()
  return row && { destination: { id: row.id, kind: 'push', settings: {} }, sealedSecret: row.secrets }
}
