import { sql, type Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { addSetting, findSetting } from './settings.ts'

const databaseIdKey = 'database_id'

/**
 * Cancels alerts that were pending in a dump from which the PostgreSQL database was restored: they are old,
 * and the server that was dumped may have sent them. Returns whether it was restored since the last call. On
 * SQLite `culvert restore` does it, and this does nothing.
 */
export async function cancelRestoredAlerts(store: Store): Promise<boolean> {
  if (store.engine.name !== 'PostgreSQL') return false
  const id = await readDatabaseId(store.db)
  const stored = await findSetting(store.db, databaseIdKey)
  if (stored === id) return false
  // The first start, or a copy from SQLite.
  if (stored === undefined) {
    await addSetting(store, databaseIdKey, id)
    return false
  }
  return store.writer.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('settings')
      .set({ value: id })
      .where('key', '=', databaseIdKey)
      .where('value', '=', stored)
      .executeTakeFirst()
    // Another process was faster, and may have queued new ones.
    if (numUpdatedRows === 0n) return false
    await tx
      .updateTable('alert_deliveries')
      .set({ status: 'cancelled', leased_until: null, finished_at: store.clock() })
      .where('status', '=', 'waiting')
      .execute()
    await tx.deleteFrom('alert_transitions').execute()
    await tx.deleteFrom('monitor_signals').execute()
    return true
  })
}

/**
 * PostgreSQL's numbers of the database and of tables that no migration recreates. A restore creates them, and
 * CREATE DATABASE … TEMPLATE gives the copy another number; restarts, failovers and pg_upgrade keep them.
 */
async function readDatabaseId(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select concat_ws('.', d.oid, 'settings'::regclass::oid, 'schema_migrations'::regclass::oid,
      'organizations'::regclass::oid) as id
    from pg_database d where d.datname = current_database()`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database has no name')
  return row.id
}
