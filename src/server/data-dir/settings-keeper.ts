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
  /** To be called after each statement that writes, COMMIT included. */
  noteWrite(sql: string, parameters: readonly unknown[]): void
  /** Writes the copy when it is not what the database says. Never rejects: what went wrong is in the log. */
  keep(): Promise<void>
  /** Writes what is still to be written. */
  close(): Promise<void>
}

interface KeeperOptions {
  databasePath: string
  copyPath: string
  log?: StoreLog
}

const keptNames = new Set(keptTables.map(({ name }) => name))

/**
 * How often the copy is compared once more after it was written: another process may have replaced it by an
 * older one.
 */
const rounds = 3

/** Several processes may keep the copy of one database: each writes what the database says at that moment. */
export function createSettingsKeeper({ databasePath, copyPath, log }: KeeperOptions): SettingsKeeper {
  let isDirty = false
  let isCommitAwaited = false
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let toldProblem: string | undefined

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
      toldProblem = undefined
    } catch (error) {
      const problem = errorMessage(error)
      if (problem !== toldProblem)
        log?.error({ problem, path: copyPath }, 'the copy of the settings cannot be written')
      toldProblem = problem
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
        // What a transaction changes can be read only now.
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
 * Keeps the copy under another name when it differs from the database, before the first write replaces it.
 * SQLite has no checksums: a changed byte within a name or a setting is found by this comparison alone. Never
 * rejects.
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

/** Compares the copy with the database, and writes it unless they say the same; then the answer is false. */
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

/** A database that has lost its accounts must not take them from the copy, too. */
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
