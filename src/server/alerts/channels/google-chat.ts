import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { escapeHtml } from '#protocol/escape-html.ts'
import type { AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { defineChannel } from './channel.ts'
import { webhookUrlField, webUrl } from './field-schemas.ts'
import { judgeReceiver } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { fitIssues, joinPresent, toMessageText, type ItemText } from './message-text.ts'
import { breakLinks } from './plain-text.ts'

/** Google Chat through a webhook of a space. Messages about one issue form a thread. */
export const googleChat = defineChannel({
  kind: 'google-chat',
  name: 'Google Chat',
  help: 'In Google Chat: the space → Apps & integrations → Webhooks → Add webhook, copy the link.',
  fields: [webhookUrlField('https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…', 'space')],
  schema: v.object({
    url: webUrl(
      'Enter the link of a webhook: https://chat.googleapis.com/v1/spaces/…',
      /\/v1\/spaces\/[^/]+\/messages$/,
    ),
  }),
  async send({ message, settings, tools }) {
    const url = new URL(settings.url)
    url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    const body = JSON.stringify(toGoogleChatMessage(message))
    // 403, 404: the webhook or the space was deleted.
    return judgeReceiver(await sendJson({ url: url.href, body }, tools), {
      disabling: [403, 404],
      now: tools.now(),
    })
  },
})

/** A card for Google Chat, with escaped HTML in its texts, and with fewer issues if it is too large. */
function toGoogleChatMessage(message: AlertMessage) {
  return fitIssues(
    (itemCount) => toCardMessage(message, itemCount),
    (card) => Buffer.byteLength(JSON.stringify(card)) <= limits.googleChatBytes,
  )
}

function toCardMessage(message: AlertMessage, itemCount: number) {
  const { lead, title, items, more, reason, links } = toMessageText(message, itemCount)
  const end = [more, reason].filter((line) => line !== undefined)
  const buttons = links.map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } }))
  const sections = [
    ...items.map((item) => ({ widgets: toWidgets(item, items.length === 1) })),
    ...(end.length === 0 ? [] : [{ widgets: end.map((line) => paragraph(inert(line))) }]),
    ...(buttons.length === 0 ? [] : [{ widgets: [{ buttonList: { buttons } }] }]),
  ]
  const { threadKey } = message
  return {
    fallbackText: breakLinks(title === undefined ? lead : `${lead}: ${title}`),
    cardsV2: [{ cardId: 'alert', card: { header: { title: breakLinks(lead) }, sections } }],
    ...(threadKey !== undefined && {
      thread: { threadKey: createHash('sha256').update(threadKey).digest('hex') },
    }),
  }
}

function toWidgets({ shortId, phrase, title, late, facts }: ItemText, isSingle: boolean) {
  const name = joinPresent(shortId, isSingle ? undefined : phrase, late)
  const shown = isSingle ? facts : []
  return [
    { decoratedText: { topLabel: breakLinks(name), text: inert(title), wrapText: true } },
    ...shown.map(({ label, value }) => ({
      decoratedText: { topLabel: label, text: inert(value), wrapText: true },
    })),
  ]
}

function paragraph(text: string) {
  return { textParagraph: { text } }
}

function inert(text: string): string {
  return escapeHtml(breakLinks(text))
}
