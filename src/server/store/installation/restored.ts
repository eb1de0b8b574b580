import { sql } from 'kysely'
import type { Db } from '#server/store/schema/database.ts'
import type { Store } from '#server/store/store.ts'
import { addSetting, findSetting } from './settings.ts'

const databaseIdKey = 'database_id'

/**
 * Cancels alerts that were pending in the dump from which the PostgreSQL database was restored: they are old,
 * and the dumped server may have sent them. Returns whether the database was restored since the last call. On
 * SQLite `culvert restore` cancels them, and this does nothing.
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
    // Another process was faster, and may have queued new alerts.
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
 * PostgreSQL's ids of the database and of tables that no migration recreates. A restore changes the tables'
 * ids, and CREATE DATABASE … TEMPLATE the database's; restarts, failovers and pg_upgrade keep them.
 */
async function readDatabaseId(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select concat_ws('.', d.oid, 'settings'::regclass::oid, 'schema_migrations'::regclass::oid,
      'organizations'::regclass::oid) as id
    from pg_database d where d.datname = current_database()`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('the database has no name')
  return row.id
}
