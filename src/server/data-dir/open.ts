import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorMessage, OperatorError, ReadOnlyDiskError } from '#server/errors.ts'
import { findDamage, isDamage } from '#server/store/damage.ts'
import { openStore, type OpenStoreOptions, type Store } from '#server/store/database.ts'
import { NewerSchemaError } from '#server/store/migrations.ts'
import { findUnavailability } from '#server/store/store-error.ts'
import { isWritableFolder } from '#server/writable-folder.ts'
import { claimDataDir, type DataDirClaim } from './claim.ts'
import { salvage, type Salvage } from './salvage.ts'
import { setAside } from './set-aside.ts'

/** A data directory in use by this process. */
export interface DataDir {
  store: Store
  claim: DataDirClaim
  /** What happened to a damaged file that was found here. */
  setAside?: SetAside
  /** Closes the store and gives up the claim. */
  close(): Promise<void>
}

/** A damaged database file that a fresh one has taken the place of. */
export interface SetAside {
  /** What SQLite says is wrong. */
  damage: string
  /** Where the file is now. */
  path: string
  salvaged: Salvage
}

export interface OpenDataDirOptions extends Omit<OpenStoreOptions, 'path'> {
  dataDir: string
  /** Whether a damaged file is set aside for a fresh one: only a server's start does that, it must come up. */
  setsDamageAside: boolean
}

/**
 * Opens the store of a data directory, made when missing. Raises an `OperatorError` when it cannot be used, a
 * `ReadOnlyDiskError` when that is because nothing can be written there.
 */
export async function openDataDir(options: OpenDataDirOptions): Promise<DataDir> {
  const { dataDir, setsDamageAside, ...storeOptions } = options
  const path = join(dataDir, 'culvert.db')
  let claim: DataDirClaim | undefined
  try {
    mkdirSync(dataDir, { recursive: true })
    let aside: { damage: string; path: string } | undefined
    claim = claimDataDir(dataDir, () => {
      const damage = setsDamageAside ? findDamage(path) : undefined
      if (damage !== undefined) aside = { damage, path: setAside(path, storeOptions.clock()) }
    })
    const store = await openStore({ path, ...storeOptions })
    return {
      store,
      claim,
      ...(aside && { setAside: { ...aside, salvaged: salvage(aside.path, store) } }),
      close: closer(store, claim),
    }
  } catch (error) {
    claim?.release()
    throw toOperatorError(error, dataDir)
  }
}

function closer(store: Store, claim: DataDirClaim): () => Promise<void> {
  return async () => {
    await store.close()
    claim.release()
  }
}

function toOperatorError(error: unknown, dataDir: string): OperatorError {
  if (error instanceof OperatorError) return error
  const problem = `The data directory ${JSON.stringify(dataDir)} cannot be used: ${errorMessage(error)}.`
  if (isDamage(findUnavailability(error)?.reason))
    return new OperatorError(`${problem} ${damageAdvice(dataDir)}`)
  if (error instanceof NewerSchemaError) return new OperatorError(problem)
  const message = `${problem} Check that it exists and that this user may write in it, or set CULVERT_DATA_DIR to another one.`
  if (isWritableFolder(dataDir)) return new OperatorError(message)
  return new ReadOnlyDiskError(`${message} For hosts without a disk, see docs/deploy-vercel.md.`)
}

function damageAdvice(dataDir: string): string {
  return (
    `The database file ${join(resolve(dataDir), 'culvert.db')} is damaged. Restore a backup with "culvert restore FILE"; ` +
    'or start the server, which sets the file aside, keeps projects and keys where they can be read, and goes on with a ' +
    'fresh file.'
  )
}
