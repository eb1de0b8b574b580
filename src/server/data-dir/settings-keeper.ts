import { copyFile } from 'node:fs/promises'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { StoreLog } from '#server/store/condition.ts'
import { fleetingSettings, keptTables } from '#server/store/engine/sqlite/kept-tables.ts'
import {
  dumpSettings,
  hasAccounts,
  earlierCopyPath,
  readSettingsCopy,
  toCopyText,
  writeSettingsCopy,
  type SettingsCopy,
} from './settings-copy.ts'

/** Keeps the copy of the settings up to date while a data directory is open. */
export interface SettingsKeeper {
  /** Call after each statement that writes, including COMMIT. */
  noteWrite(sql: string, parameters: readonly unknown[]): void
  /** Writes the copy if it differs from the database. Never rejects; logs errors. */
  keep(): Promise<void>
  /** Writes pending changes. */
  close(): Promise<void>
}

interface KeeperOptions {
  databasePath: string
  copyPath: string
  log?: StoreLog
}

const keptNames = new Set(keptTables.map(({ name }) => name))

/** Comparisons after a write, because another process may have replaced the copy with an older one. */
const rounds = 3

/** Several processes may keep the copy of a database: each writes the current state. */
export function createSettingsKeeper({ databasePath, copyPath, log }: KeeperOptions): SettingsKeeper {
  let isDirty = false
  let isCommitAwaited = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let reportedProblem: string | undefined

  const schedule = (delayMs: number) => {
    isDirty = true
    timer ??= setTimeout(() => void keep(), delayMs).unref()
  }

  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    isDirty = false
    try {
      for (let round = 0; round < rounds; round += 1) if (await isUpToDate(databasePath, copyPath)) break
      reportedProblem = undefined
    } catch (error) {
      const problem = errorMessage(error)
      if (problem !== reportedProblem)
        log?.error({ problem, path: copyPath }, 'the copy of the settings cannot be written')
      reportedProblem = problem
      schedule(limits.settingsCopyRetryMs)
    }
  }

  const keep = () => (writing = writing.then(write))

  return {
    noteWrite(sql, parameters) {
      if (changesSettings(sql, parameters)) {
        isCommitAwaited = true
        schedule(limits.settingsCopyDelayMs)
      } else if (sql === 'COMMIT' && isCommitAwaited) {
        // The changes of a transaction are readable only now.
        isCommitAwaited = false
        schedule(limits.settingsCopyDelayMs)
      }
    },
    keep,
    async close() {
      clearTimeout(timer)
      timer = undefined
      await writing
      if (isDirty) await keep()
      clearTimeout(timer)
    },
  }
}

/**
 * Keeps a copy that differs from the database under another name before it is replaced. SQLite has no
 * checksums: only this comparison detects a changed byte in a name or setting. Never rejects.
 */
export async function keepEarlierCopy({ databasePath, copyPath, log }: KeeperOptions): Promise<void> {
  try {
    const found = readSettingsCopy(copyPath)
    if (found.kind !== 'read' || toCopyText(found.copy) === toCopyText(dumpSettings(databasePath))) return
    const path = earlierCopyPath(copyPath)
    await copyFile(copyPath, path)
    log?.info(
      { path },
      'the settings in the database differ from their copy, as after an upgrade, a crash or damage: the earlier copy is kept',
    )
  } catch (error) {
    log?.error(
      { problem: errorMessage(error), path: copyPath },
      'the earlier copy of the settings cannot be kept',
    )
  }
}

/** Writes the copy if it differs from the database, and returns false in that case. */
async function isUpToDate(databasePath: string, copyPath: string): Promise<boolean> {
  const copy = dumpSettings(databasePath)
  const text = toCopyText(copy)
  const found = readSettingsCopy(copyPath)
  if (found.kind === 'read') {
    if (toCopyText(found.copy) === text) return true
    assertKeepsAccounts(found.copy, copy)
  }
  await writeSettingsCopy(copyPath, { text, databasePath })
  return false
}

/** A database that lost its accounts must not remove them from the copy. */
function assertKeepsAccounts(known: SettingsCopy, next: SettingsCopy): void {
  if (hasAccounts(known) && !hasAccounts(next))
    throw new Error('the copy has accounts, and the database has none')
}

const writingStatement = /^(?:insert(?: or \w+)? into|replace into|update|delete from)\s+"?(\w+)"?/i

function changesSettings(sql: string, parameters: readonly unknown[]): boolean {
  const table = writingStatement.exec(sql)?.[1]
  if (table === undefined || !keptNames.has(table)) return false
  return table !== 'settings' || !fleetingSettings.includes(String(parameters[0]))
}
