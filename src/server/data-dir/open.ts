import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode, errorMessage, OperatorError, ReadOnlyDiskError } from '#server/errors.ts'
import { hasUsers } from '#server/store/accounts/users.ts'
import { SchemaMismatchError } from '#server/store/engine/migrations.ts'
import { findDamage, isDamage } from '#server/store/engine/sqlite/damage.ts'
import { readOwnShape, type SchemaShape } from '#server/store/engine/sqlite/schema-shape.ts'
import type { OpenStoreOptions } from '#server/store/engine/store-parts.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { makeFolder } from '#server/store/installation/make-folder.ts'
import { recordAccountsLost } from '#server/store/installation/settings.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { isWritableFolder } from '#server/writable-folder.ts'
import { claimDataDir, type DataDirClaim } from './claim.ts'
import { databasePath } from './database-file.ts'
import { createOwnFile, findForeignFile } from './own-files.ts'
import { salvage, type Salvage } from './salvage.ts'
import { setAside, setCopyAside } from './set-aside.ts'
import { readSettingsCopy, settingsCopyPath, type SettingsCopy } from './settings-copy.ts'
import { createSettingsKeeper, keepEarlierCopy, type SettingsKeeper } from './settings-keeper.ts'

/** An open data directory. */
export interface DataDir {
  store: Store
  claim: DataDirClaim
  /** The damaged database that was found, and its replacement. */
  setAside?: SetAside
  /** Closes the store and releases the claim. */
  close(): Promise<void>
}

/** A damaged or missing database that was replaced with a fresh one. */
export interface SetAside {
  /** The damage, in SQLite's words if SQLite found it. */
  damage: string
  /** The new path of the file; absent if it was missing. */
  path?: string
  salvaged: Salvage
  /** No accounts exist, and the damaged database may have had some. */
  hasLostAccounts: boolean
}

export interface OpenDataDirOptions extends Omit<OpenStoreOptions, 'path'> {
  dataDir: string
  /** Replaces a damaged database with a fresh one. Only the start of a server does, because it must start. */
  setsDamageAside: boolean
}

/**
 * Opens the store of a data directory, which is created if missing. Throws an `OperatorError` if it is
 * unusable, a `ReadOnlyDiskError` if it is not writable.
 */
export async function openDataDir(options: OpenDataDirOptions): Promise<DataDir> {
  const { dataDir, setsDamageAside, ...storeOptions } = options
  const [path, copyPath] = [databasePath(dataDir), settingsCopyPath(dataDir)]
  const { log } = storeOptions
  let claim: DataDirClaim | undefined
  try {
    makeFolder(dataDir)
    let lost: LostDatabase | undefined
    const ownShape = setsDamageAside ? await readOwnShape() : undefined
    claim = claimDataDir(dataDir, () => {
      lost = ownShape && findLostDatabase({ dataDir, ownShape, now: (storeOptions.clock ?? Date.now)() })
      if (lost === undefined && existsSync(path) && isMissingOrEmpty(path))
        log?.error(
          { path },
          'the database file is empty, and there is no copy of the settings: starting with an empty database',
        )
    })
    if (!setsDamageAside) requireDatabase(dataDir)
    // A new database contains secrets from its first byte. SQLite would create it readable by every account.
    createOwnFile(path, 0o600)
    const keeper = createSettingsKeeper({ databasePath: path, copyPath, ...(log && { log }) })
    const store = await openStore({
      path,
      ...storeOptions,
      onWrite: (...statement) => keeper.noteWrite(...statement),
    })
    const aside = lost && (await replaceLost(store, lost))
    if (setsDamageAside) await keepEarlierCopy({ databasePath: path, copyPath, ...(log && { log }) })
    await keeper.keep()
    return { store, claim, ...(aside && { setAside: aside }), close: closer(store, keeper, claim) }
  } catch (error) {
    claim?.release()
    throw toOperatorError(error, dataDir)
  }
}

/** An unusable database and what remains of it. */
interface LostDatabase {
  damage: string
  path?: string
  copy?: SettingsCopy
}

interface LookOptions {
  dataDir: string
  ownShape: SchemaShape
  /** Unix milliseconds. */
  now: number
}

/**
 * Sets a damaged database aside, and an unreadable copy of the settings. Undefined if the database is intact
 * or never existed. The caller has exclusive access.
 */
function findLostDatabase({ dataDir, ownShape, now }: LookOptions): LostDatabase | undefined {
  const path = databasePath(dataDir)
  const found = readSettingsCopy(settingsCopyPath(dataDir))
  const isEmpty = isMissingOrEmpty(path)
  // An interrupted first start leaves an empty file, but with a copy of the settings there was a database.
  const damage = isEmpty
    ? found.kind === 'none'
      ? undefined
      : emptyDamage(path)
    : findDamage(path, ownShape)
  if (damage === undefined) return undefined
  if (found.kind === 'unreadable') setCopyAside(settingsCopyPath(dataDir), now)
  return {
    damage,
    ...(isEmpty ? {} : { path: setAside(path, now) }),
    ...(found.kind === 'read' && { copy: found.copy }),
  }
}

function isMissingOrEmpty(path: string): boolean {
  return !existsSync(path) || statSync(path).size === 0
}

function emptyDamage(path: string): string {
  return existsSync(path) ? 'the file is empty' : 'the file is missing'
}

/** Otherwise the command line would create an empty database, and then an empty copy of the settings. */
function requireDatabase(dataDir: string): void {
  const path = databasePath(dataDir)
  if (!isMissingOrEmpty(path) || !existsSync(settingsCopyPath(dataDir))) return
  throw new OperatorError(
    `The database ${resolve(path)} is lost: ${emptyDamage(path)}. Restore a backup with "culvert restore FILE"; or start the ` +
      `server, which restores projects, keys and accounts from ${resolve(settingsCopyPath(dataDir))}. To begin with ` +
      'nothing, delete that file, too.',
  )
}

async function replaceLost(store: Store, { damage, path, copy }: LostDatabase): Promise<SetAside> {
  const salvaged = salvage(store, { ...(copy && { copy }), damagedPath: path })
  // A readable copy shows whether there were accounts.
  const hasLostAccounts = copy === undefined && !(await hasUsers(store.db))
  if (hasLostAccounts) await recordAccountsLost(store)
  return { damage, salvaged, hasLostAccounts, path }
}

function closer(store: Store, keeper: SettingsKeeper, claim: DataDirClaim): () => Promise<void> {
  return async () => {
    await keeper.close()
    await store.close()
    claim.release()
  }
}

function toOperatorError(error: unknown, dataDir: string): OperatorError {
  if (error instanceof OperatorError) return error
  const problem = `The data directory ${JSON.stringify(dataDir)} cannot be used: ${errorMessage(error)}.`
  if (isDamage(findUnavailability(error)?.reason))
    return new OperatorError(`${problem} ${damageAdvice(dataDir)}`)
  if (error instanceof SchemaMismatchError) return new OperatorError(problem)
  if (findUnavailability(error)?.reason === 'FULL' || errorCode(error) === 'ENOSPC')
    return new OperatorError(`${problem} Free space on its disk, then start again.`)
  const message = `${problem} Check that it exists and that this user may write in it, or set CULVERT_DATA_DIR to another one.`
  if (!isWritableFolder(dataDir))
    return new ReadOnlyDiskError(`${message} For hosts without a disk, see docs/deploy-vercel.md.`)
  const foreign = findForeignFile(dataDir)
  return new OperatorError(foreign === undefined ? message : `${problem} ${ownerAdvice(dataDir, foreign)}`)
}

function ownerAdvice(dataDir: string, foreign: string): string {
  const folder = JSON.stringify(resolve(dataDir))
  return (
    `This user cannot read and write ${JSON.stringify(resolve(foreign))}. Give it the owner of its folder: ` +
    `chown -R --reference=${folder} ${folder}`
  )
}

function damageAdvice(dataDir: string): string {
  return (
    `The database file ${resolve(databasePath(dataDir))} is damaged. Restore a backup with "culvert restore FILE"; ` +
    'or start the server, which sets the file aside and continues with a new one that has its projects, keys and accounts.'
  )
}
