import * as v from 'valibot'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'

/** The value of a key; undefined if there is none. */
export async function findSetting(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

/** Sets the value of a key. */
export async function setSetting(store: Store, key: string, value: string): Promise<void> {
  await store.writer
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Sets the value of a key unless it has one. */
export async function addSetting(store: Store, key: string, value: string): Promise<void> {
  await store.writer
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

const publicOriginKey = 'public_origin'

/** Stores the running server's address (`https://culvert.example`) for DSNs of other processes. */
export function recordPublicOrigin(store: Store, origin: string): Promise<void> {
  return setSetting(store, publicOriginKey, origin)
}

/** The address of the server at its last start; undefined before the first start. */
export function findPublicOrigin(db: Db): Promise<string | undefined> {
  return findSetting(db, publicOriginKey)
}

/** Writes a meaningless row in a transaction: rejects if the store cannot be written. `at`: Unix ms. */
export function recordProbe(store: Store, at: number): Promise<void> {
  return setSetting(store, 'probed_at', String(at))
}

/** The key for when retention last ran in any process, in Unix milliseconds. */
export const retentionRanAtKey = 'retention_ran_at'

/** The key for the last backup, for a process that must not migrate the schema. */
export const lastBackupKey = 'last_backup'

const LastBackup = v.object({ at: v.number(), bytes: v.number(), path: v.string() })

/** When a backup was made last (Unix ms), where, and its size. */
export type LastBackup = v.InferOutput<typeof LastBackup>

/** Parses the value of `lastBackupKey`; undefined if there was no backup. */
export function parseLastBackup(text: string | undefined): LastBackup | undefined {
  const json = v.safeParse(v.pipe(v.string(), v.parseJson(), LastBackup), text)
  return json.success ? json.output : undefined
}

const accountsLostKey = 'accounts_lost_at'

/**
 * Records that the installation had an earlier database whose accounts could not be read: the first visitor
 * must not become its owner.
 */
export function recordAccountsLost(store: Store): Promise<void> {
  return setSetting(store, accountsLostKey, String(store.clock()))
}

/** True if the accounts of an earlier database are lost. Relevant only while no account exists. */
export async function hasLostAccounts(db: Db): Promise<boolean> {
  return (await findSetting(db, accountsLostKey)) !== undefined
}
