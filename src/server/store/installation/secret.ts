import { randomBytes } from 'node:crypto'
import type { Store } from '#server/store/store.ts'
import { addSetting, findSetting } from './settings.ts'

const secretKey = 'auth_secret'

/**
 * The secret of the installation, from which the keys of sessions and of encrypted settings are derived: the
 * operator's (`CULVERT_SECRET`), or one that is created once and stored in the database.
 */
export async function readInstallationSecret(store: Store, secret: string | undefined): Promise<string> {
  if (secret !== undefined) return secret
  const known = await findSetting(store.db, secretKey)
  if (known !== undefined) return known
  await addSetting(store, secretKey, randomBytes(32).toString('base64url'))
  // Another process may have been faster: the stored secret counts.
  const kept = await findSetting(store.db, secretKey)
  if (kept === undefined) throw new Error('the secret of the installation could not be kept')
  return kept
}
