import * as v from 'valibot'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import { addSetting, findSetting, setSetting } from '#server/store/installation/settings.ts'
import { createVapidKeys, type VapidKeys } from './channels/push/vapid.ts'
import { createSecretBox } from './channels/secret-box.ts'
import type { DestinationKeeper } from './manage-destinations.ts'

const settingKey = 'vapid_keys'
const stored = v.pipe(v.string(), v.parseJson(), v.object({ publicKey: v.string(), sealed: v.string() }))

/**
 * The keys that identify this installation to push services. They are created once and stored, the private
 * key encrypted. With another `CULVERT_SECRET` new ones are created, because no subscription can be decrypted
 * then either.
 */
export async function readVapidKeys({ store, secret }: DestinationKeeper): Promise<VapidKeys> {
  const box = createSecretBox(await readInstallationSecret(store, secret))
  const find = async () => {
    const text = await findSetting(store.db, settingKey)
    const { success, output } = v.safeParse(stored, text)
    const privateKey = success ? box.open(output.sealed, settingKey) : undefined
    const keys = success && privateKey !== undefined ? { publicKey: output.publicKey, privateKey } : undefined
    return { isKept: text !== undefined, keys }
  }
  const known = await find()
  if (known.keys !== undefined) return known.keys
  const { publicKey, privateKey } = createVapidKeys()
  const value = JSON.stringify({ publicKey, sealed: box.seal(privateKey, settingKey) })
  if (known.isKept) await setSetting(store, settingKey, value)
  else await addSetting(store, settingKey, value)
  // Another process may have been faster: the stored keys count.
  const { keys } = await find()
  if (keys === undefined) throw new Error('the Web Push keys could not be stored')
  return keys
}
