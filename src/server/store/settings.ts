import type { Kysely } from 'kysely'
import type { Store } from './database.ts'
import type { Database } from './schema.ts'

/** The value kept under a key; undefined when there is none. */
export async function getSetting(db: Kysely<Database>, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

/** Keeps a value under a key, in the place of an earlier one. */
export async function setSetting(store: Store, key: string, value: string): Promise<void> {
  await store.writer
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
