import { createHmac, randomBytes } from 'node:crypto'
import type { Store } from '#server/store/store.ts'
import { addSetting, findSetting, setSetting } from './settings.ts'

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

/** The setting with the mark of the secret of the server that started last. */
export const secretMarkKey = 'secret_mark'

/** The secret of a process, as a text that does not reveal it. */
export interface SecretMark {
  mark: string
  processId: string
}

/** A text by which processes compare their secrets. */
export function toSecretMark(secret: string): string {
  return createHmac('sha256', secret).update('mark').digest('base64url').slice(0, 16)
}

/** Stores the mark of a process that starts. */
export function recordSecretMark(store: Store, { mark, processId }: SecretMark): Promise<void> {
  return setSetting(store, secretMarkKey, `${mark} ${processId}`)
}

/** Parses the value of `secretMarkKey`. */
export function parseSecretMark(value = ''): SecretMark {
  const [mark = '', processId = ''] = value.split(' ')
  return { mark, processId }
}
