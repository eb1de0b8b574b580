import * as v from 'valibot'
import { toItemBasics, type AlertAnswer, type AlertMessage } from '#server/alerts/message.ts'
import type { ReceivedAnswer } from '#server/forward/awaited-answer.ts'
import { limits } from '#server/limits.ts'
import { cutText } from '#server/normalize/text.ts'
import { defineChannel } from './channel.ts'
import { optionalText, webhookUrlField, webUrl } from './field-schemas.ts'
import { judgeReceiver, readAnswerJson, toRetryAfterMs } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { levelColor } from './level.ts'
import { fitIssues, joinPresent, toMessageText, type ItemText, type MessageText } from './message-text.ts'
import { escapeMarkdown, toCodeSpan } from './plain-text.ts'

const urlProblem = 'Enter the URL of a webhook: https://discord.com/api/webhooks/…'

/** Discord through a webhook, with edits of the message about an issue. */
export const discord = defineChannel({
  kind: 'discord',
  name: 'Discord',
  help: 'In Discord: the channel → Edit Channel → Integrations → Webhooks → New Webhook → Copy Webhook URL.',
  fields: [
    webhookUrlField('https://discord.com/api/webhooks/1234/XXXX'),
    {
      name: 'threadId',
      label: 'Thread ID',
      help: 'Only for a thread of the channel, or a post of a forum.',
      kind: 'text',
      isOptional: true,
    },
  ],
  schema: v.object({
    // The suffixes /slack and /github of Discord's webhooks expect other bodies.
    url: webUrl(urlProblem, /\/webhooks\/[0-9]+\/[A-Za-z0-9_-]+\/?$/),
    threadId: optionalText(/^[0-9]{1,20}$/, 'Enter the number of a thread, or nothing.'),
  }),
  async send({ message, settings, tools }) {
    const post = (editedRef?: string) =>
      sendJson(
        {
          url: toUrl(settings, editedRef),
          method: editedRef === undefined ? 'POST' : 'PATCH',
          body: JSON.stringify(toDiscordMessage(message)),
        },
        tools,
      )
    const { editedRef } = tools
    if (editedRef !== undefined && /^[0-9]{1,20}$/.test(editedRef)) {
      const answer = await post(editedRef)
      // The message was deleted. If the webhook was, the next request reports it.
      if (answer.kind === 'failed' || answer.status !== 404) return judgeDiscord(answer, tools.now())
    }
    return judgeDiscord(await post(), tools.now())
  },
})

function toUrl({ url: text, threadId }: { url: string; threadId?: string }, editedRef?: string): string {
  const url = new URL(text)
  url.pathname = url.pathname.replace(/\/$/, '') + (editedRef === undefined ? '' : `/messages/${editedRef}`)
  if (editedRef === undefined) url.searchParams.set('wait', 'true')
  if (threadId !== undefined) url.searchParams.set('thread_id', threadId)
  return url.href
}

/** A message for Discord: without mentions, and with text of events as code. Pure. */
function toDiscordMessage(message: AlertMessage) {
  return fitIssues(
    (itemCount) => toDiscordEmbed(message, itemCount),
    ({ embeds }) => embeds.every(fitsEmbed),
  )
}

/** The title and the footer are short. */
function fitsEmbed({ description, fields }: { description: string; fields: { value: string }[] }): boolean {
  const length = description.length + fields.reduce((sum, { value }) => sum + value.length + 20, 0)
  return length <= Math.min(limits.discordDescriptionCharacters, limits.discordEmbedsCharacters - 2_000)
}

function toDiscordEmbed(message: AlertMessage, itemCount: number) {
  const text = toMessageText(message, itemCount)
  const { lead, title, items } = text
  const heading = `**${escapeMarkdown(lead)}**`
  const content = title === undefined ? heading : `${heading} ${toCodeSpan(title)}`
  const [newest] = message.items
  const level = newest === undefined ? 'error' : toItemBasics(newest).level
  const [first] = items
  const embed = first !== undefined && items.length === 1 ? toSingle(first) : toList(items)
  return {
    content: cutText(content, limits.discordContentCharacters),
    embeds: [
      {
        ...embed,
        color: levelColor(level),
        fields: [...embed.fields, ...toPages(text)],
        footer: toFooter(text),
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

function toSingle({ shortId, title, url, facts, late }: ItemText) {
  return {
    title: shortId,
    url,
    description: [toCodeSpan(title), ...(late === undefined ? [] : [late])].join('\n'),
    fields: facts.map(({ label, value }) => ({ name: label, value: toCodeSpan(value), inline: true })),
  }
}

function toList(items: readonly ItemText[]) {
  const lines = items.map(({ shortId, url, phrase, title, late }) => {
    const name = url === undefined ? toCodeSpan(shortId) : `[${escapeMarkdown(shortId)}](${url})`
    return `${name} ${joinPresent(phrase, late)}\n${toCodeSpan(title)}`
  })
  return { description: lines.join('\n'), fields: [] }
}

/** The footer, which is plain text in Discord. */
function toFooter({ more, reason }: MessageText) {
  const text = joinPresent(more, reason)
  return text === '' ? undefined : { text }
}

/** The links to pages, as a field: an embed has only one link, the issue's. */
function toPages({ links }: MessageText) {
  const pages = links
    .filter(({ label }) => label !== 'Open issue' && label !== 'Open')
    .map(({ label, url }) => `[${label}](${url})`)
    .join(' · ')
  return pages === '' || pages.length > limits.discordFieldCharacters
    ? []
    : [{ name: 'Culvert', value: pages, inline: false }]
}

const DiscordAnswer = v.object({ id: v.optional(v.string()), retry_after: v.optional(v.number()) })

function judgeDiscord(answer: ReceivedAnswer, now: number): AlertAnswer {
  // 401, 404: the webhook was deleted.
  const judged = judgeReceiver(answer, { disabling: [401, 404], now })
  const said = readAnswerJson(answer, DiscordAnswer)
  if (judged.verdict === 'delivered') return { ...judged, messageRef: said?.id }
  const retryAfterMs = judged.retryAfterMs ?? toRetryAfterMs(said?.retry_after)
  return judged.verdict === 'retry' ? { ...judged, retryAfterMs } : judged
}
