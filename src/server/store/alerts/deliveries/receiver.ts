import { sql } from 'kysely'
import * as v from 'valibot'
import { hasAccessToOneOf } from '#server/store/accounts/access.ts'
import type { Db } from '#server/store/schema/database.ts'
import { parseColumn } from '#server/store/unreadable-rows.ts'

/** The receiver of a message. */
export interface DeliveryReceiverRecord {
  destination: { id: string; kind: string; settings: Readonly<Record<string, unknown>> }
  /** True if this version cannot read the settings of the destination, which are then empty. */
  isUnreadable?: boolean
  /** Encrypted. */
  sealedSecret?: string
  /** The id of the last message about the issue at the receiver. */
  editedRef?: string
  /** The projects of the message that the user still has access to; absent for a destination. */
  projectIds?: ReadonlySet<number>
}

const settingsText = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

/**
 * The receiver of a message: a destination, a user by email, or a browser. Undefined if it no longer exists,
 * the destination is disabled, or the user has lost access to all projects of the message, `projectIds`.
 * `issue`: the issue of a message about one issue; `threadAfter` in Unix milliseconds.
 */
export async function findDeliveryReceiver(
  db: Db,
  of: {
    destinationId?: string
    userId?: string
    pushId?: string
    projectIds: readonly number[]
    issue?: { projectId: number; issueId: number }
    threadAfter: number
  },
): Promise<DeliveryReceiverRecord | undefined> {
  if (of.userId !== undefined) return findUser(db, of.userId, of.projectIds)
  if (of.pushId !== undefined) return findBrowser(db, of.pushId, of.projectIds)
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
  const settings = parseColumn(settingsText, row.settings, { table: 'alert_destinations', id: row.id })
  return {
    destination: { id: row.id, kind: row.channel, settings: settings ?? {} },
    ...(settings === undefined && { isUnreadable: true }),
    ...(row.secrets !== null && { sealedSecret: row.secrets }),
    ...(thread && { editedRef: thread.reference }),
  }
}

async function findUser(
  db: Db,
  userId: string,
  projectIds: readonly number[],
): Promise<DeliveryReceiverRecord | undefined> {
  const rows = await selectAccess(db, projectIds).select('u.email').where('u.id', '=', userId).execute()
  const [first] = rows
  return (
    first && {
      destination: { id: userId, kind: 'email', settings: { to: first.email } },
      projectIds: new Set(rows.map((row) => row.projectId)),
    }
  )
}

async function findBrowser(
  db: Db,
  pushId: string,
  projectIds: readonly number[],
): Promise<DeliveryReceiverRecord | undefined> {
  const rows = await selectAccess(db, projectIds)
    .innerJoin('push_subscriptions as s', 's.user_id', 'u.id')
    .select('s.secrets')
    .where('s.id', '=', pushId)
    .execute()
  const [first] = rows
  return (
    first && {
      destination: { id: pushId, kind: 'push', settings: {} },
      sealedSecret: first.secrets,
      projectIds: new Set(rows.map((row) => row.projectId)),
    }
  )
}

/** Users, and those of the projects that they have access to. */
function selectAccess(db: Db, projectIds: readonly number[]) {
  return db
    .selectFrom('projects as p')
    .innerJoin('memberships as m', 'm.organization_id', 'p.organization_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('p.id as projectId')
    .where('p.id', 'in', projectIds)
    .where(hasAccessToOneOf(sql`(p.id)`))
}
