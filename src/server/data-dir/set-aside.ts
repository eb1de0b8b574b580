import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { unmarkDamage } from '#server/store/engine/sqlite/damage.ts'

/**
 * Renames a damaged database and its write-ahead log to `culvert-damaged-<time>.db` in the same folder.
 * Returns the new path. The caller has exclusive access.
 */
export function setAside(path: string, now: number): string {
  const aside = freePath(path, 'damaged', now)
  moveLog(path, aside)
  renameSync(path, aside)
  unmarkDamage(path)
  return aside
}

/** Renames an unreadable copy of the settings, for inspection. */
export function setCopyAside(path: string, now: number): void {
  const name = `culvert-damaged-${timeText(now)}Z.settings.json`
  renameSync(path, join(dirname(path), name))
}

/**
 * Replaces a database file with `incoming` and keeps it as `culvert-replaced-<time>.db`, whose path is
 * returned. If interrupted, one of both is in place. The caller has exclusive access.
 */
export function replaceDatabase(path: string, incoming: string, now: number): string {
  const aside = freePath(path, 'replaced', now)
  emptyLog(path)
  moveLog(path, aside)
  try {
    linkSync(path, aside)
  } catch {
    // Not every file system supports links.
    renameSync(path, aside)
  }
  renameSync(incoming, path)
  unmarkDamage(path)
  return aside
}

/** The last connection to close checkpoints the log and removes it. */
function emptyLog(path: string): void {
  try {
    const sqlite = new DatabaseSync(path)
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
    sqlite.close()
  } catch {
    // Damaged: kept with its log.
  }
}

/** The log moves before its database: if interrupted, no other database must find it. */
function moveLog(path: string, aside: string): void {
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`)
  rmSync(`${path}-shm`, { force: true })
}

function freePath(path: string, reason: 'damaged' | 'replaced', now: number): string {
  const base = join(dirname(path), `culvert-${reason}-${timeText(now)}Z`)
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? `${base}.db` : `${base}-${number}.db`
    if (!existsSync(free)) return free
  }
}

function timeText(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
}
