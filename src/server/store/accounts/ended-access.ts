import { randomUUID } from 'node:crypto'
import { findSetting } from '#server/store/installation/settings.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'

const endedAccessKey = 'ended_access'

/**
 * Notes that a user may have lost access to projects: `unassignWithoutAccess` later unassigns the user's
 * issues. Call inside the transaction that ends the access.
 */
export async function noteEndedAccess(tx: Tx): Promise<void> {
  const value = randomUUID()
  await tx
    .insertInto('settings')
    .values({ key: endedAccessKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** A value that changes whenever users lose access; undefined if it never happened. */
export function findEndedAccess(db: Db): Promise<string | undefined> {
  return findSetting(db, endedAccessKey)
}
