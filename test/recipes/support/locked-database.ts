import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Runs `work` while another program has the database of a data directory locked: no write succeeds. */
export async function whileLocked(dataDir: string, work: () => Promise<unknown>): Promise<void> {
  const other = new DatabaseSync(join(dataDir, 'culvert.db'))
  other.exec('BEGIN IMMEDIATE')
  try {
    await work()
  } finally {
    other.exec('ROLLBACK')
    other.close()
  }
}
