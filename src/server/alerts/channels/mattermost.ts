import * as v from 'valibot'
import type { AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { cutText } from '#server/normalize/text.ts'
import { defineChannel } from './channel.ts'
import { optionalText, webhookUrlField, webUrl } from './field-schemas.ts'
import { judgeReceiver } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { toMessageText, type ItemText } from './message-text.ts'
import { escapeMarkdown, toCodeSpan } from './plain-text.ts'

/** Mattermost through an incoming webhook. */
export const mattermost = defineChannel({
  kind: 'mattermost',
  name: 'Mattermost',
  help: 'In Mattermost: Product menu → Integrations → Incoming Webhooks → Add Incoming Webhook, copy the URL.',
  fields: [
    webhookUrlField('https://mattermost.example.com/hooks/xxxx'),
    {
      name: 'channel',
      label: 'Channel',
      help: "Only for another channel than the webhook's: the name in its address.",
      kind: 'text',
      isOptional: true,
      example: 'town-square',
    },
  ],
  schema: v.object({
    url: webUrl('Enter the URL of an incoming webhook: https://…/hooks/…', /\/hooks\/[a-z0-9]+\/?$/i),
    channel: optionalText(
      /^[a-z0-9_.-]{1,64}$/,
      'Enter the name of a channel as it is in its address, or nothing.',
    ),
  }),
  async send({ message, settings, tools }) {
    const body = JSON.stringify({ text: toMattermostText(message), channel: settings.channel })
    const answer = await sendJson({ url: settings.url, body }, tools)
    // Mattermost answers 400 if the webhook was deleted.
    return judgeReceiver(answer, { disabling: [403, 404], now: tools.now() })
  },
})

/** The text of a message in Mattermost's Markdown; text of events is code. Pure. */
function toMattermostText(message: AlertMessage): string {
  const { lead, items, more, reason, links } = toMessageText(message)
  const pages = links.map(({ label, url }) => `[${label}](${url})`).join(' · ')
  const end = [more, reason].filter((line) => line !== undefined).map(escapeMarkdown)
  const lines = [
    `**${escapeMarkdown(lead)}**`,
    ...items.map((item) => (items.length === 1 ? toSingle(item) : toLine(item))),
    ...end,
    pages,
  ]
  return cutText(lines.filter((line) => line !== '').join('\n'), limits.mattermostCharacters)
}

function toSingle(item: ItemText): string {
  const facts = item.facts.map(({ label, value }) => `${label}: ${toCodeSpan(value)}`).join(' · ')
  return `${toLine(item)}\n${facts}`
}

function toLine({ shortId, phrase, title, late }: ItemText): string {
  return [escapeMarkdown(shortId), phrase, toCodeSpan(title), late]
    .filter((part) => part !== undefined)
    .join(' ')
}
