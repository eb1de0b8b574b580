import * as v from 'valibot'
import { escapeHtml } from '#protocol/escape-html.ts'
import type { AlertMessage, AlertAnswer } from '#server/alerts/message.ts'
import type { ReceivedAnswer } from '#server/forward/awaited-answer.ts'
import { limits } from '#server/limits.ts'
import { defineChannel, type ChannelTools } from './channel.ts'
import { matchingText, optionalText, webUrlOr } from './field-schemas.ts'
import { judgeReceiver, readAnswerJson, toRetryAfterMs } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { fitIssues, joinPresent, toMessageText, type ItemText } from './message-text.ts'
import { breakLinks } from './plain-text.ts'

const telegramApi = 'https://api.telegram.org'

/** Telegram through a bot, with topics of groups, and with edits of the message about an issue. */
export const telegram = defineChannel({
  kind: 'telegram',
  name: 'Telegram',
  help: 'In Telegram: send /newbot to @BotFather, copy the token, add the bot to the group or channel.',
  fields: [
    {
      name: 'token',
      label: 'Bot token',
      help: 'Everyone who has it can write as the bot.',
      kind: 'text',
      isSecret: true,
      example: '123456:ABC-DEF…',
    },
    {
      name: 'chatId',
      label: 'Chat ID',
      help: 'The number of a chat, or the @name of a public channel.',
      kind: 'text',
      example: '-1001234567890',
    },
    {
      name: 'topicId',
      label: 'Topic ID',
      help: 'Only for a topic of a group: the last number in the link to the topic.',
      kind: 'text',
      isOptional: true,
    },
    {
      name: 'apiUrl',
      label: 'API URL',
      help: 'Only for a Bot API server of your own.',
      kind: 'url',
      isOptional: true,
      defaultUrl: telegramApi,
    },
  ],
  schema: v.pipe(
    v.object({
      token: matchingText(
        /^[0-9]{3,20}:[A-Za-z0-9_-]{20,100}$/,
        'Enter the token that @BotFather sent: digits, a colon, and letters.',
      ),
      chatId: matchingText(
        /^(?:-?[0-9]{1,20}|@[A-Za-z0-9_]{4,40})$/,
        'Enter the number of a chat, such as -1001234567890, or the @name of a public channel.',
      ),
      topicId: optionalText(/^[0-9]{1,15}$/, 'Enter the number of a topic, or nothing.'),
      apiUrl: webUrlOr(telegramApi, `Enter the URL of a Bot API server, or nothing for ${telegramApi}.`),
    }),
    v.forward(
      v.check(
        ({ chatId, topicId }) => topicId === undefined || !chatId.startsWith('@'),
        'Channels have no topics: enter the number of a group as the chat, or no topic.',
      ),
      ['topicId'],
    ),
  ),
  async send({ message, settings, tools }) {
    const text = toTelegramHtml(message)
    const { editedRef } = tools
    if (editedRef !== undefined && /^[0-9]{1,15}$/.test(editedRef)) {
      const edited = await callTelegram({ ...settings, text, editedRef }, tools)
      // The message was deleted, or belongs to another chat.
      if (!isGone(edited)) return { ...edited, messageRef: editedRef }
    }
    return callTelegram({ ...settings, text }, tools)
  },
})

interface TelegramCall {
  token: string
  chatId: string
  topicId?: string
  apiUrl: string
  text: string
  editedRef?: string
}

async function callTelegram(call: TelegramCall, tools: ChannelTools): Promise<AlertAnswer> {
  const answer = await postToTelegram(call, tools)
  // A group that became a supergroup has another id.
  const movedTo = readAnswerJson(answer, TelegramAnswer)?.parameters?.migrate_to_chat_id
  if (movedTo === undefined || String(movedTo) === call.chatId) return judgeTelegram(answer, tools.now())
  return judgeTelegram(await postToTelegram({ ...call, chatId: String(movedTo) }, tools), tools.now())
}

function postToTelegram(
  { token, chatId, topicId, apiUrl, text, editedRef }: TelegramCall,
  tools: ChannelTools,
): Promise<ReceivedAnswer> {
  const isEdit = editedRef !== undefined
  const body = JSON.stringify({
    chat_id: chatId,
    ...(isEdit
      ? { message_id: Number(editedRef) }
      : topicId !== undefined && { message_thread_id: Number(topicId) }),
    text,
    parse_mode: 'HTML',
    link_preview_options: { is_disabled: true },
  })
  return sendJson({ url: `${apiUrl}/bot${token}/${isEdit ? 'editMessageText' : 'sendMessage'}`, body }, tools)
}

const TelegramAnswer = v.object({
  ok: v.boolean(),
  description: v.optional(v.string()),
  result: v.optional(v.union([v.object({ message_id: v.number() }), v.boolean()])),
  parameters: v.optional(
    v.object({ retry_after: v.optional(v.number()), migrate_to_chat_id: v.optional(v.number()) }),
  ),
})

function judgeTelegram(answer: ReceivedAnswer, now: number): AlertAnswer {
  // 401, 404: no such token. 403: blocked, or removed from the chat.
  const judged = judgeReceiver(answer, { disabling: [401, 403, 404], now })
  const said = readAnswerJson(answer, TelegramAnswer)
  if (judged.verdict === 'retry')
    return { ...judged, retryAfterMs: judged.retryAfterMs ?? toRetryAfterMs(said?.parameters?.retry_after) }
  if (judged.verdict === 'delivered') {
    if (said?.ok !== true) return { ...judged, verdict: 'retry' }
    const { result } = said
    return { ...judged, messageRef: typeof result === 'object' ? String(result.message_id) : undefined }
  }
  const description = said?.description ?? ''
  if (/chat not found|chat was deleted/i.test(description)) return { ...judged, verdict: 'disabled' }
  // The same text again: the message is up to date.
  if (/message is not modified/i.test(description)) return { ...judged, verdict: 'delivered' }
  return judged
}

function isGone({ verdict, answerExcerpt = '' }: AlertAnswer): boolean {
  return (
    verdict === 'rejected' &&
    /message to edit not found|message can't be edited|MESSAGE_ID_INVALID/i.test(answerExcerpt)
  )
}

/** A message in Telegram's HTML; text of events is code, in which Telegram detects no links. Pure. */
function toTelegramHtml(message: AlertMessage): string {
  return fitIssues(
    (itemCount) => toHtml(message, itemCount),
    // Unlike Telegram's limit, this includes the markup.
    (html) => html.length <= limits.telegramCharacters,
  )
}

function toHtml(message: AlertMessage, itemCount: number): string {
  const { lead, items, more, reason, links } = toMessageText(message, itemCount)
  const lines = [
    `<b>${inert(lead)}</b>`,
    ...items.map((item) => (items.length === 1 ? toSingle(item) : toItem(item))),
    ...[more, reason].filter((line) => line !== undefined).map(inert),
    links.map(({ label, url }) => `<a href="${escapeHtml(url)}">${label}</a>`).join(' · '),
  ].filter((line) => line !== '')
  return lines.join('\n')
}

function toSingle(item: ItemText): string {
  const facts = item.facts.map(({ label, value }) => `${label}: ${code(value)}`)
  return [toItem(item), ...facts].join('\n')
}

function toItem({ shortId, url, phrase, title, late }: ItemText): string {
  const name = url === undefined ? inert(shortId) : `<a href="${escapeHtml(url)}">${inert(shortId)}</a>`
  return `${joinPresent(name, phrase, late)}\n${code(title)}`
}

function code(text: string): string {
  return `<code>${escapeHtml(text)}</code>`
}

function inert(text: string): string {
  return escapeHtml(breakLinks(text))
}
