import * as v from 'valibot'
import { pushSubscription } from '#server/alerts/channels/push/push-subscription.ts'
import { createSecretBox } from '#server/alerts/channels/secret-box.ts'
import { readVapidKeys } from '#server/alerts/vapid-keys.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { accountForm } from '#server/console/account/account-form.ts'
import { rawText } from '#server/forms/fields.ts'
import { reject } from '#server/forms/form.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import {
  deletePushBrowser,
  listPushBrowsers,
  recordPushBrowser,
  toPushId,
} from '#server/store/alerts/push-subscriptions.ts'
import { readInstallationSecret } from '#server/store/installation/secret.ts'
import type { PushBrowsersView } from './views.ts'

/** The browsers that show notifications to the viewer. Two statements; the first call creates the keys. */
export async function getPushBrowsersView(
  { store, env, publicOrigin }: Pick<Services, 'store' | 'env' | 'publicOrigin'>,
  { userId }: Viewer,
): Promise<PushBrowsersView> {
  const { secret } = env
  const [browsers, keys] = await Promise.all([
    listPushBrowsers(store.db, userId),
    canSubscribe(publicOrigin) ? readVapidKeys({ store, secret }) : undefined,
  ])
  return { browsers, ...(keys && { publicKey: keys.publicKey }) }
}

/** Browsers run service workers only over https, or on localhost. */
function canSubscribe(publicOrigin: string): boolean {
  const { protocol, hostname } = new URL(publicOrigin)
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1'
}

const subscriptionFields = v.object({ endpoint: rawText, p256dh: rawText, auth: rawText, browser: rawText })

/** Subscribes the viewer's browser. A script fills in the fields. */
export const subscribeBrowser = accountForm(
  subscriptionFields,
  async ({ services: { store, env }, viewer: { userId }, fields: { browser, ...entered } }) => {
    if (entered.endpoint === '')
      return reject(
        'The browser has not subscribed. Notifications need JavaScript and a browser with Web Push.',
      )
    const parsed = v.safeParse(pushSubscription, entered)
    if (!parsed.success) return reject(parsed.issues[0].message)
    const id = toPushId(parsed.output.endpoint)
    const box = createSecretBox(await readInstallationSecret(store, env.secret))
    const isAdded = await recordPushBrowser(store, {
      id,
      userId,
      name: browser.trim().slice(0, limits.nameCharacters) || 'A browser',
      sealedSecrets: box.seal(JSON.stringify(parsed.output), id),
    })
    if (!isAdded) return reject(`You have ${limits.pushBrowsersPerUser} browsers: remove one first.`)
    return { kind: 'done', text: 'Notifications enabled in this browser.' }
  },
)

export const removeBrowser = accountForm(
  v.object({ push: rawText }),
  async ({ services: { store }, viewer: { userId }, fields: { push } }) => {
    await deletePushBrowser(store, { userId, id: push })
    return { kind: 'done', text: 'Browser removed.' }
  },
)
