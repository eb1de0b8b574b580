import * as v from 'valibot'
import type { AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { defineChannel } from './channel.ts'
import { matchingText, optionalText, webUrlOr } from './field-schemas.ts'
import { judgeReceiver } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { highestSeverity } from './level.ts'
import { joinPresent, toMessageText, type ItemText } from './message-text.ts'
import { breakLinks, cutToBytes } from './plain-text.ts'

const ntfyServer = 'https://ntfy.sh'

/** ntfy, on ntfy.sh or another server. */
export const ntfy = defineChannel({
  kind: 'ntfy',
  name: 'ntfy',
  help: 'Choose a topic that cannot be guessed and subscribe to it in the ntfy app. A token is needed for protected topics: Account → Access tokens.',
  fields: [
    {
      name: 'topic',
      label: 'Topic',
      help: 'Everyone who knows an unprotected topic can read it.',
      kind: 'text',
      example: 'culvert-7f3a91c2',
    },
    {
      name: 'serverUrl',
      label: 'Server',
      help: `Default: ${ntfyServer}.`,
      kind: 'url',
      isOptional: true,
      defaultUrl: ntfyServer,
      example: 'https://ntfy.example.com',
    },
    {
      name: 'token',
      label: 'Access token',
      help: 'Only for protected topics.',
      kind: 'text',
      isSecret: true,
      isOptional: true,
      example: 'tk_…',
    },
  ],
  schema: v.object({
    topic: matchingText(/^[-_A-Za-z0-9]{1,64}$/, 'Enter a topic of letters, digits, - and _, 64 at most.'),
    serverUrl: webUrlOr(ntfyServer, `Enter the URL of a server, or nothing for ${ntfyServer}.`),
    token: optionalText(/^tk_[A-Za-z0-9]{5,100}$/, 'Enter an access token: it begins with tk_. Or nothing.'),
  }),
  async send({ message, settings: { topic, serverUrl, token }, tools }) {
    const body = JSON.stringify({ topic, ...toNtfyMessage(message) })
    const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` }
    const answer = await sendJson({ url: `${serverUrl}/`, headers, body }, tools)
    // 401, 403: the token is no longer valid for the topic.
    return judgeReceiver(answer, { disabling: [401, 403], now: tools.now() })
  },
})

/** ntfy's priorities by severity. */
const priorities = [2, 3, 4, 5] as const

/** A notification for ntfy, as plain text. Pure. */
function toNtfyMessage(message: AlertMessage) {
  const { lead, items, more, reason, links } = toMessageText(message)
  const lines = [
    ...items.map((item) => toItemLines(item, items.length === 1)),
    ...[more, reason].filter((line) => line !== undefined),
  ]
  const [first] = links
  return {
    title: cutToBytes(breakLinks(lead), limits.ntfyTitleBytes),
    message: cutToBytes(breakLinks(lines.join('\n')), limits.ntfyMessageBytes),
    priority: priorities[highestSeverity(message)],
    click: first?.url,
    actions: links.slice(0, limits.ntfyActions).map(({ label, url }) => ({ action: 'view', label, url })),
  }
}

function toItemLines({ shortId, phrase, title, late, facts }: ItemText, isSingle: boolean): string {
  const heading = joinPresent(shortId, isSingle ? undefined : phrase, late)
  const shown = isSingle ? facts.map(({ label, value }) => `${label}: ${value}`) : []
  return [heading, title, ...shown].join('\n')
}
