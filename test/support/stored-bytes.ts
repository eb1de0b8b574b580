import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import type { Services } from '#server/services.ts'
import { onPostgres } from './engine.ts'

const tablesSql = onPostgres
  ? 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()'
  : `SELECT name FROM sqlite_master WHERE type = 'table'`
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Everything that a server has written, to search it: the files as they are, the log with entries that are
 * not yet in the database, and every value of every table, decompressed if needed. Keyed by location.
 */
export function readStoredBytes({ env, store }: Services): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  for (const entry of readdirSync(env.dataDir, { withFileTypes: true })) {
    // A file that is being written may be renamed before it is read.
    if (entry.isFile() && !entry.name.endsWith('.part'))
      found.set(entry.name, readFileSync(join(env.dataDir, entry.name)))
  }
  for (const { name } of store.connection.prepare(tablesSql).all()) {
    const rows = store.connection.prepare(`SELECT * FROM "${String(name)}"`).all()
    for (const [index, row] of rows.entries()) {
      for (const [column, value] of Object.entries(row)) {
        if (value !== null) found.set(`${String(name)}.${column} ${index}`, toBytes(value))
      }
    }
  }
  return found
}

function toBytes(value: string | number | bigint | Uint8Array): Buffer {
  if (!(value instanceof Uint8Array)) return Buffer.from(String(value))
  const bytes = Buffer.from(value)
  return bytes.subarray(0, 4).equals(zstdMagic) ? zstdDecompressSync(bytes) : bytes
}
