import { findDatabaseFolder } from '#server/store/engine/database-folder.ts'
import { readFreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { lastBackupKey, parseLastBackup } from '#server/store/installation/settings.ts'
import { readCountsDelay } from '#server/store/issues/counts-delay.ts'
import type { Store } from '#server/store/store.ts'
import type { Metrics } from './registry.ts'

/**
 * Registers the metrics of the database and its disk for an operator's alerts. They have no values once the
 * store is closed.
 */
export function measureStore(registry: Metrics, store: Store): void {
  const { path, connection, engine, clock } = store
  const folder = findDatabaseFolder(path)
  const whileOpen = (read: () => number | undefined) => () => {
    const value = connection.isOpen ? read() : undefined
    return value === undefined ? [] : [{ value }]
  }
  registry.gauge(
    { name: 'culvert_database_up', help: '1 if the database can be read, else 0.' },
    whileOpen(() => (isReadable(store) ? 1 : 0)),
  )
  registry.gauge(
    {
      name: 'culvert_database_bytes',
      help: 'Size of the database: of the file, and of its used pages.',
      labels: ['kind'],
    },
    () => {
      if (!connection.isOpen) return []
      const { fileBytes, usedBytes } = engine.readSize()
      return [
        { labels: ['file'], value: fileBytes },
        { labels: ['used'], value: usedBytes },
      ]
    },
  )
  registry.gauge(
    { name: 'culvert_disk_free_bytes', help: 'Free space on the disk of the database.' },
    whileOpen(() => (folder === undefined ? undefined : readFreeSpace(folder)?.freeBytes)),
  )
  registry.gauge(
    {
      name: 'culvert_dead_letters',
      help: 'Dead letters: items that Culvert failed to process, stored to be retried.',
    },
    whileOpen(() => Number(connection.prepare('SELECT count(*) AS n FROM dead_letters').get()?.['n'])),
  )
  registry.gauge(
    {
      name: 'culvert_counts_delay_seconds',
      help: 'Age of the oldest event that is not in the counts of its issue yet; 0 if there is none.',
    },
    whileOpen(() => readCountsDelay(connection, clock()) / 1000),
  )
  registry.gauge(
    {
      name: 'culvert_last_backup_timestamp_seconds',
      help: 'Time of the last backup; absent before the first.',
    },
    whileOpen(() => {
      const row = connection.prepare('SELECT value FROM settings WHERE key = ?').get(lastBackupKey)
      const backup = parseLastBackup(typeof row?.['value'] === 'string' ? row['value'] : undefined)
      return backup === undefined ? undefined : backup.at / 1000
    }),
  )
}

function isReadable({ connection }: Store): boolean {
  try {
    connection.prepare('SELECT key FROM settings LIMIT 1').get()
    return true
  } catch (error) {
    if (findUnavailability(error)) return false
    throw error
  }
}
