import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unmarkDamage } from '#server/store/damage.ts'

/** Why a database file is moved out of the way; part of its new name. */
export type AsideReason = 'damaged' | 'replaced'

/**
 * Renames a database file, with its write-ahead log, to `culvert-<reason>-<time>.db` in the same folder, and returns the
 * new path. The caller has the data directory for itself.
 */
export function setAside(path: string, reason: AsideReason, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  const aside = freePath(join(dirname(path), `culvert-${reason}-${time}Z`))
  // The log first: cut off in between, a fresh database must not find the log of the old one.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${aside}-wal`)
  rmSync(`${path}-shm`, { force: true })
  renameSync(path, aside)
  unmarkDamage(path)
  return aside
}

function freePath(base: string): string {
  for (let number = 1; ; number += 1) {
    const path = number === 1 ? `${base}.db` : `${base}-${number}.db`
    if (!existsSync(path)) return path
  }
}
