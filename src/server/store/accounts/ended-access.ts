import { randomUUID } from 'node:crypto'
import { findSetting } from '#server/store/installation/settings.ts'
import type { Db, Tx } from '#server/store/schema/database.ts'

const endedAccessKey = 'ended_access'

/**
 * Notes that issues may have assignees without access to their projects: `unassignWithoutAccess` later
 * unassigns them. Call inside the transaction that ends the access, or brings back a former assignee.
 */
export async function noteEndedAccess(tx: Tx): Promise<void> {
  const value = randomUUID()
  await tx
    .insertInto('settings')
    .values({ key: endedAccessKey, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** A value that changes with each call of `noteEndedAccess`; undefined before the first. */
export function findEndedAccess(db: Db): Promise<string | undefined> {
  return findSetting(db, endedAccessKey)
}
