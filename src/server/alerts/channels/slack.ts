import * as v from 'valibot'
import type { AlertAnswer } from '#server/alerts/message.ts'
import type { ReceivedAnswer } from '#server/forward/awaited-answer.ts'
import { defineChannel, type ChannelTools } from './channel.ts'
import { matchingText, webhookUrlField, webUrl, webUrlOr } from './field-schemas.ts'
import { judgeReceiver, readAnswerJson } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { toSlackMessage, type SlackMessage } from './slack-message.ts'

const webhookProblem = 'Enter the URL of an incoming webhook: https://hooks.slack.com/services/…'

/**
 * Slack through an incoming webhook. It cannot edit messages, because a webhook does not return their ids.
 */
export const slackWebhook = defineChannel({
  kind: 'slack-webhook',
  name: 'Slack (webhook)',
  help: 'In Slack: Apps → Incoming Webhooks → Add to Slack, choose the channel, copy the webhook URL.',
  fields: [webhookUrlField('https://hooks.slack.com/services/T000/B000/XXXX')],
  // The URL of a workflow expects other fields.
  schema: v.object({ url: webUrl(webhookProblem, /^(?!\/triggers\/|\/workflows\/)/) }),
  async send({ message, settings, tools }) {
    const answer = await sendJson({ url: settings.url, body: JSON.stringify(toSlackMessage(message)) }, tools)
    // 403: not allowed to post; 404: no such webhook or channel; 410: the channel is archived.
    return judgeReceiver(answer, { disabling: [403, 404, 410], now: tools.now() })
  },
})

const slackApi = 'https://slack.com/api'

/** Slack through a bot token: it edits the message about an issue. */
export const slackBot = defineChannel({
  kind: 'slack-bot',
  name: 'Slack (bot)',
  help: 'At api.slack.com/apps: Create New App, add the scope chat:write, install it, copy the bot token, and invite the bot into the channel.',
  fields: [
    {
      name: 'token',
      label: 'Bot token',
      help: 'OAuth & Permissions → Bot User OAuth Token.',
      kind: 'text',
      isSecret: true,
      example: 'xoxb-…',
    },
    {
      name: 'channel',
      label: 'Channel ID',
      help: 'In the channel: its name → About → Channel ID.',
      kind: 'text',
      example: 'C0123456789',
    },
    {
      name: 'apiUrl',
      label: 'API URL',
      help: 'Only for another address of the API, such as https://slack-gov.com/api.',
      kind: 'url',
      isOptional: true,
      defaultUrl: slackApi,
    },
  ],
  schema: v.object({
    token: matchingText(/^xox[a-z]-[A-Za-z0-9-]+$/, 'Enter a bot token: it begins with xoxb-.'),
    channel: matchingText(
      /^[CGD][A-Z0-9]{5,20}$/,
      'Enter the ID of a channel, such as C0123456789, not its name.',
    ),
    apiUrl: webUrlOr(slackApi, `Enter the URL of Slack's API, or nothing for ${slackApi}.`),
  }),
  async send({ message, settings, tools }) {
    const slackMessage = toSlackMessage(message)
    const { editedRef } = tools
    if (editedRef === undefined) return callSlack(settings, slackMessage, tools)
    const edited = await callSlack({ ...settings, editedRef }, slackMessage, tools)
    // The message was deleted, or is too old to edit.
    const isGone =
      edited.verdict === 'rejected' &&
      /"(?:message_not_found|cant_update_message|edit_window_closed)"/.test(edited.answerExcerpt ?? '')
    return isGone ? callSlack(settings, slackMessage, tools) : edited
  },
})

interface SlackCall {
  token: string
  channel: string
  apiUrl: string
  editedRef?: string
}

async function callSlack(
  { token, channel, apiUrl, editedRef }: SlackCall,
  message: SlackMessage,
  tools: ChannelTools,
): Promise<AlertAnswer> {
  const method = editedRef === undefined ? 'chat.postMessage' : 'chat.update'
  const body = JSON.stringify({ channel, parse: 'none', link_names: false, ...message, ts: editedRef })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' }
  const answer = await sendJson({ url: `${apiUrl}/${method}`, headers, body }, tools)
  return judgeSlack(answer, tools.now())
}

const SlackAnswer = v.object({
  ok: v.boolean(),
  ts: v.optional(v.string()),
  error: v.optional(v.string()),
})

/** The token or the channel is invalid, or the bot has been removed. */
const disablingErrors = new Set([
  'account_inactive',
  'channel_not_found',
  'invalid_auth',
  'is_archived',
  'not_authed',
  'not_in_channel',
  'token_expired',
  'token_revoked',
])

const transientErrors = new Set([
  'fatal_error',
  'internal_error',
  'ratelimited',
  'request_timeout',
  'service_unavailable',
])

/** Slack reports in the body of a 200 whether it has accepted the message. */
function judgeSlack(answer: ReceivedAnswer, now: number): AlertAnswer {
  const judged = judgeReceiver(answer, { now })
  if (judged.verdict !== 'delivered') return judged
  const said = readAnswerJson(answer, SlackAnswer)
  // The answer is not from the API: probably a proxy, temporarily.
  if (said === undefined) return { ...judged, verdict: 'retry' }
  if (said.ok) return { ...judged, messageRef: said.ts }
  const error = said.error ?? ''
  if (transientErrors.has(error)) return { ...judged, verdict: 'retry' }
  return { ...judged, verdict: disablingErrors.has(error) ? 'disabled' : 'rejected' }
}
