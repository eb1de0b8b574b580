import { createHash } from 'node:crypto'
import { limits } from '#server/limits.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** A browser that shows notifications to a user. */
export interface PushBrowser {
  id: string
  name: string
  /** Unix milliseconds. */
  createdAt: number
}

/** The id of a subscription, by which the browser finds its own row. */
export function toPushId(endpoint: string): string {
  return createHash('sha256').update(endpoint).digest('hex')
}

/** The browsers of a user, newest first. One statement. */
export async function listPushBrowsers(db: Db, userId: string): Promise<PushBrowser[]> {
  return db
    .selectFrom('push_subscriptions')
    .select(['id', 'name', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/**
 * Adds a browser, unless the user has reached the limit. A browser of another user is transferred.
 * `sealedSecrets`: encrypted for the id. Returns whether it was added.
 */
export function recordPushBrowser(
  store: Store,
  browser: { id: string; userId: string; sealedSecrets: string; name: string },
): Promise<boolean> {
  return store.writer.transaction().execute(async (tx) => {
    const others = await tx
      .selectFrom('push_subscriptions')
      .select('id')
      .where('user_id', '=', browser.userId)
      .where('id', '<>', browser.id)
      .execute()
    if (others.length >= limits.pushBrowsersPerUser) return false
    const values = { user_id: browser.userId, secrets: browser.sealedSecrets, name: browser.name }
    await tx
      .insertInto('push_subscriptions')
      .values({ id: browser.id, created_at: store.clock(), ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute()
    return true
  })
}

/** Removes a user's browser and its messages. */
export async function deletePushBrowser(
  store: Store,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await store.writer
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}
