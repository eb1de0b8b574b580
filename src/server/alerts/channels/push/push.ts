import { createHash } from 'node:crypto'
import { defineChannel } from '#server/alerts/channels/channel.ts'
import { judgeReceiver } from '#server/alerts/channels/http/judge-answer.ts'
import { sendJson } from '#server/alerts/channels/http/send-json.ts'
import { highestSeverity } from '#server/alerts/channels/level.ts'
import { toMessageText } from '#server/alerts/channels/message-text.ts'
import { cutToBytes } from '#server/alerts/channels/plain-text.ts'
import type { AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { encryptPush } from './encrypt-push.ts'
import { pushSubscription } from './push-subscription.ts'
import { createVapidHeader } from './vapid.ts'

/**
 * The push service of a browser (RFC 8030). Users subscribe in their settings; it cannot be created in the
 * form of destinations.
 */
export const push = defineChannel({
  kind: 'push',
  name: 'Browser',
  help: 'A browser subscribes under Settings → Notifications.',
  fields: [],
  schema: pushSubscription,
  async send({ message, settings: { endpoint, p256dh, auth }, tools }) {
    const { readVapid, origin = '' } = tools
    if (readVapid === undefined)
      return { verdict: 'rejected', answerExcerpt: 'This process has no Web Push keys.' }
    const now = tools.now()
    // Push services accept only `https:` and `mailto:` (RFC 8292 §2.1).
    const subject = origin.startsWith('https:') ? origin : 'https://localhost'
    const vapid = { endpoint, subject, now }
    const answer = await sendJson(
      {
        url: endpoint,
        headers: {
          authorization: createVapidHeader(await readVapid(), vapid),
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(limits.alertExpiryMs / 1_000),
          urgency: highestSeverity(message) === 3 ? 'high' : 'normal',
          // A later message about an issue replaces one that the browser has not fetched.
          ...(message.threadKey !== undefined && { topic: toTopic(message.threadKey) }),
        },
        body: encryptPush(toPushText(message), { p256dh, auth }),
      },
      tools,
    )
    // The browser or its user has ended the subscription (RFC 8030 §7.3).
    return judgeReceiver(answer, { disabling: [404, 410], now })
  },
})

/** At most 32 characters of base64url (RFC 8030 §5.4). */
function toTopic(threadKey: string): string {
  return createHash('sha256').update(threadKey).digest('base64url').slice(0, 32)
}

/** The notification that the service worker shows: texts, and the page that a click opens. Pure. */
function toPushText(message: AlertMessage): string {
  const { lead, title, items, more, links } = toMessageText(message)
  const lines = title === undefined ? items.map((item) => `${item.shortId} ${item.title}`) : [title]
  const body = [...lines, ...(more === undefined ? [] : [more])].join('\n')
  return JSON.stringify({
    title: cutToBytes(lead, limits.pushTextBytes),
    body: cutToBytes(body, limits.pushTextBytes),
    url: links[0]?.url ?? message.urls.list,
    tag: message.threadKey ?? message.urls.list,
  })
}
