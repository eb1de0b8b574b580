import * as v from 'valibot'
import { alertOrigin } from './alert-messages.ts'
import type { RecordedRequest } from './fake-upstream.ts'
import { readHtml, readMarkdown, readMrkdwn, readPlain, type ShownText } from './shown-text.ts'

/** A service that receives alerts: what it accepts, and its answers. The limits are the service's. */
export interface ReceiverContract {
  /** The fields of a destination at that origin. */
  fields: (origin: string) => Record<string, string>
  /** The prefix of its paths. */
  path: RegExp
  /** Throws if the body violates the documentation. Returns its texts as the service shows them. */
  check: (body: unknown) => ShownText[]
  /** The body of its answer to an accepted request. */
  reply?: string
}

const max = (count: number) => v.pipe(v.string(), v.maxLength(count))
const plainText = (count: number) =>
  v.strictObject({
    type: v.literal('plain_text'),
    text: v.pipe(max(count), v.minLength(1)),
    emoji: v.literal(false),
  })
const markdownText = (count: number) =>
  v.strictObject({
    type: v.literal('mrkdwn'),
    text: v.pipe(max(count), v.minLength(1)),
    verbatim: v.literal(true),
  })
const url = v.pipe(v.string(), v.url(), v.maxLength(3_000))

const SlackBody = v.object({
  text: max(4_000),
  blocks: v.pipe(
    v.array(
      v.variant('type', [
        v.strictObject({ type: v.literal('header'), text: plainText(150) }),
        v.strictObject({
          type: v.literal('section'),
          text: markdownText(3_000),
          fields: v.optional(v.pipe(v.array(markdownText(2_000)), v.minLength(1), v.maxLength(10))),
        }),
        v.strictObject({
          type: v.literal('context'),
          elements: v.pipe(v.array(markdownText(3_000)), v.minLength(1), v.maxLength(10)),
        }),
        v.strictObject({
          type: v.literal('actions'),
          elements: v.pipe(
            v.array(v.strictObject({ type: v.literal('button'), text: plainText(75), url })),
            v.minLength(1),
            v.maxLength(25),
          ),
        }),
      ]),
    ),
    v.maxLength(50),
  ),
})

function checkSlack(body: unknown): ShownText[] {
  const { text, blocks } = v.parse(SlackBody, body)
  return [readMrkdwn(text, false), ...blocks.flatMap(readBlock)]
}

function readBlock(block: v.InferOutput<typeof SlackBody>['blocks'][number]): ShownText[] {
  if (block.type === 'header') return [{ text: block.text.text, links: [] }]
  if (block.type === 'context') return block.elements.map(({ text }) => readMrkdwn(text, true))
  if (block.type === 'actions')
    return block.elements.map(({ text, url: link }) => ({ text: text.text, links: [link] }))
  return [block.text, ...(block.fields ?? [])].map(({ text }) => readMrkdwn(text, true))
}

const DiscordBody = v.strictObject({
  content: v.pipe(max(2_000), v.minLength(1)),
  allowed_mentions: v.strictObject({ parse: v.pipe(v.array(v.string()), v.length(0)) }),
  embeds: v.pipe(
    v.array(
      v.strictObject({
        title: v.optional(max(256)),
        url: v.optional(url),
        description: v.optional(max(4_096)),
        color: v.pipe(v.number(), v.integer(), v.maxValue(0xff_ff_ff)),
        fields: v.optional(
          v.pipe(
            v.array(
              v.strictObject({
                name: v.pipe(max(256), v.minLength(1)),
                value: v.pipe(max(1_024), v.minLength(1)),
                inline: v.boolean(),
              }),
            ),
            v.maxLength(25),
          ),
        ),
        footer: v.optional(v.strictObject({ text: max(2_048) })),
      }),
    ),
    v.maxLength(10),
  ),
})

function checkDiscord(body: unknown): ShownText[] {
  const { content, embeds } = v.parse(DiscordBody, body)
  const length = embeds.reduce(
    (sum, { title = '', description = '', fields = [], footer }) =>
      sum +
      title.length +
      description.length +
      (footer?.text.length ?? 0) +
      fields.reduce((all, { name, value }) => all + name.length + value.length, 0),
    0,
  )
  if (length > 6_000) throw new Error(`${length} characters in embeds`)
  return [readMarkdown(content), ...embeds.flatMap(readEmbed)]
}

function readEmbed(embed: v.InferOutput<typeof DiscordBody>['embeds'][number]): ShownText[] {
  const { title = '', url: link, description = '', fields = [] } = embed
  return [
    { text: title, links: link === undefined ? [] : [link] },
    readMarkdown(description),
    ...fields.map(({ value }) => readMarkdown(value)),
  ]
}

const Run = v.looseObject({ type: v.literal('TextRun'), text: v.string() })
const TeamsBody = v.strictObject({
  type: v.literal('message'),
  attachments: v.tuple([
    v.strictObject({
      contentType: v.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: v.null(),
      content: v.strictObject({
        $schema: v.string(),
        type: v.literal('AdaptiveCard'),
        version: v.picklist(['1.2', '1.3', '1.4', '1.5']),
        // Text blocks render Markdown: none may be in them.
        body: v.array(v.strictObject({ type: v.literal('RichTextBlock'), inlines: v.array(Run) })),
        actions: v.pipe(
          v.array(v.strictObject({ type: v.literal('Action.OpenUrl'), title: v.string(), url })),
          v.maxLength(6),
        ),
        msteams: v.strictObject({ width: v.literal('Full') }),
      }),
    }),
  ]),
})

function checkTeams(body: unknown): ShownText[] {
  if (Buffer.byteLength(JSON.stringify(body), 'utf16le') > 28_000) throw new Error('more than 28 KB')
  const { content } = v.parse(TeamsBody, body).attachments[0]
  return [
    ...content.body.flatMap(({ inlines }) => inlines.map(({ text }) => readPlain(text))),
    ...content.actions.map((action) => ({ text: action.title, links: [action.url] })),
  ]
}

const TelegramBody = v.strictObject({
  chat_id: v.string(),
  message_thread_id: v.optional(v.number()),
  message_id: v.optional(v.number()),
  text: v.pipe(max(4_096), v.minLength(1)),
  parse_mode: v.literal('HTML'),
  link_preview_options: v.strictObject({ is_disabled: v.literal(true) }),
})

const GoogleChatBody = v.strictObject({
  fallbackText: v.string(),
  thread: v.optional(v.strictObject({ threadKey: max(4_000) })),
  cardsV2: v.tuple([
    v.strictObject({
      cardId: v.string(),
      card: v.strictObject({
        header: v.strictObject({ title: v.string() }),
        sections: v.array(
          v.strictObject({
            widgets: v.pipe(
              v.array(
                v.union([
                  v.strictObject({
                    decoratedText: v.strictObject({
                      topLabel: v.string(),
                      text: v.string(),
                      wrapText: v.boolean(),
                    }),
                  }),
                  v.strictObject({ textParagraph: v.strictObject({ text: v.string() }) }),
                  v.strictObject({
                    buttonList: v.strictObject({
                      buttons: v.array(
                        v.strictObject({
                          text: v.string(),
                          onClick: v.strictObject({ openLink: v.strictObject({ url }) }),
                        }),
                      ),
                    }),
                  }),
                ]),
              ),
              v.minLength(1),
              v.maxLength(100),
            ),
          }),
        ),
      }),
    }),
  ]),
})

function checkGoogleChat(body: unknown): ShownText[] {
  if (Buffer.byteLength(JSON.stringify(body)) > 32_000) throw new Error('more than 32,000 bytes')
  const { fallbackText, cardsV2 } = v.parse(GoogleChatBody, body)
  const { header, sections } = cardsV2[0].card
  const noTags = /^$/
  return [
    readPlain(fallbackText),
    readPlain(header.title),
    ...sections.flatMap(({ widgets }) =>
      widgets.flatMap((widget): ShownText[] => {
        if ('decoratedText' in widget)
          return [readPlain(widget.decoratedText.topLabel), readHtml(widget.decoratedText.text, noTags)]
        if ('textParagraph' in widget) return [readHtml(widget.textParagraph.text, noTags)]
        return widget.buttonList.buttons.map(({ text, onClick }) => ({ text, links: [onClick.openLink.url] }))
      }),
    ),
  ]
}

const NtfyBody = v.strictObject({
  topic: v.pipe(v.string(), v.regex(/^[-_A-Za-z0-9]{1,64}$/)),
  title: v.pipe(v.string(), v.maxBytes(1_024)),
  message: v.pipe(v.string(), v.maxBytes(4_096)),
  priority: v.picklist([1, 2, 3, 4, 5]),
  click: v.optional(url),
  actions: v.pipe(
    v.array(v.strictObject({ action: v.literal('view'), label: v.string(), url })),
    v.maxLength(3),
  ),
})

const PagerDutyBody = v.strictObject({
  routing_key: v.pipe(v.string(), v.length(32)),
  event_action: v.picklist(['trigger', 'acknowledge', 'resolve']),
  dedup_key: v.pipe(max(255), v.minLength(1)),
  client: v.string(),
  client_url: v.optional(url),
  links: v.array(v.strictObject({ text: v.string(), href: url })),
  payload: v.strictObject({
    summary: v.pipe(max(1_024), v.minLength(1)),
    source: v.pipe(v.string(), v.minLength(1)),
    severity: v.picklist(['critical', 'error', 'warning', 'info']),
    timestamp: v.optional(v.pipe(v.string(), v.isoTimestamp())),
    component: v.optional(v.string()),
    class: v.optional(v.string()),
    custom_details: v.optional(v.record(v.string(), v.string())),
  }),
})

const Label = v.pipe(
  v.string(),
  v.minLength(1),
  v.check((text) => text.isWellFormed()),
)
const AlertmanagerBody = v.pipe(
  v.array(
    v.strictObject({
      labels: v.pipe(
        v.record(v.pipe(v.string(), v.regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)), Label),
        v.check(({ alertname }) => alertname !== undefined),
      ),
      annotations: v.record(v.string(), Label),
      startsAt: v.pipe(v.string(), v.isoTimestamp()),
      endsAt: v.pipe(v.string(), v.isoTimestamp()),
      generatorURL: v.optional(url),
    }),
  ),
  v.minLength(1),
  v.check(
    (alerts) => alerts.every(({ startsAt, endsAt }) => startsAt <= endsAt),
    'an alert ends before it starts',
  ),
)

const WebhookBody = v.strictObject({
  type: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_]+(?:\.[a-zA-Z0-9_]+)*$/)),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.looseObject({ issues: v.array(v.looseObject({ title: v.string() })), moreCount: v.number() }),
})

const SentryBody = v.strictObject({
  action: v.picklist(['created', 'assigned', 'unresolved', 'triggered']),
  actor: v.strictObject({ type: v.string(), id: v.string(), name: v.string() }),
  installation: v.strictObject({ uuid: v.string() }),
  data: v.union([
    v.object({
      issue: v.looseObject({ id: v.string(), title: v.string(), count: v.string(), web_url: url }),
    }),
    v.object({
      event: v.looseObject({ title: v.string(), web_url: url }),
      triggered_rule: v.string(),
      issue_alert: v.object({ title: v.string() }),
    }),
  ]),
})

/** Data without links: only its form is checked. */
const dataOf =
  (schema: v.GenericSchema, maxBytes: number) =>
  (body: unknown): ShownText[] => {
    v.parse(schema, body)
    if (Buffer.byteLength(JSON.stringify(body)) > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    return []
  }

const signingSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** The services by the kind of their channel; e-mail is another protocol. */
export const receiverContracts: Readonly<Record<string, ReceiverContract>> = {
  'slack-webhook': {
    fields: (origin) => ({ url: `${origin}/services/T000/B000/XXXX` }),
    path: /^\/services\/T000\/B000\/XXXX$/,
    check: checkSlack,
    reply: 'ok',
  },
  'slack-bot': {
    fields: (origin) => ({ token: 'xoxb-1234-SECRET', channel: 'C0123456789', apiUrl: `${origin}/api` }),
    path: /^\/api\/chat\.(?:postMessage|update)$/,
    check: checkSlack,
    reply: JSON.stringify({ ok: true, channel: 'C0123456789', ts: '1503435956.000247' }),
  },
  discord: {
    fields: (origin) => ({ url: `${origin}/api/webhooks/1234/SECRET-token`, threadId: '99' }),
    path: /^\/api\/webhooks\/1234\/SECRET-token(?:\?wait=true&thread_id=99|\/messages\/[0-9]+\?thread_id=99)$/,
    check: checkDiscord,
    reply: JSON.stringify({ id: '1100110011' }),
  },
  mattermost: {
    fields: (origin) => ({ url: `${origin}/hooks/abcdef0123` }),
    path: /^\/hooks\/abcdef0123$/,
    check: (body) => [
      readMarkdown(
        v.parse(
          v.strictObject({ text: v.pipe(max(16_383), v.minLength(1)), channel: v.optional(v.string()) }),
          body,
        ).text,
      ),
    ],
    reply: 'ok',
  },
  teams: {
    fields: (origin) => ({
      url: `${origin}/workflows/abc/triggers/manual/paths/invoke?api-version=1&sig=SECRET`,
    }),
    path: /^\/workflows\/abc\/triggers\/manual\/paths\/invoke\?api-version=1&sig=SECRET$/,
    check: checkTeams,
  },
  telegram: {
    fields: (origin) => ({
      token: '123456:ABCDEFGHIJKLMNOPQRSTUVWX',
      chatId: '-1001234567890',
      topicId: '5',
      apiUrl: origin,
    }),
    path: /^\/bot123456:ABCDEFGHIJKLMNOPQRSTUVWX\/(?:sendMessage|editMessageText)$/,
    check: (body) => [
      readHtml(v.parse(TelegramBody, body).text, /^(?:<\/?(?:b|code)>|<a href="[^"<>]*">|<\/a>)$/),
    ],
    reply: JSON.stringify({ ok: true, result: { message_id: 77 } }),
  },
  'google-chat': {
    fields: (origin) => ({ url: `${origin}/v1/spaces/AAAA/messages?key=KEY&token=SECRET` }),
    path: /^\/v1\/spaces\/AAAA\/messages\?key=KEY&token=SECRET&messageReplyOption=/,
    check: checkGoogleChat,
    reply: '{}',
  },
  ntfy: {
    fields: (origin) => ({ topic: 'culvert-test', serverUrl: origin, token: 'tk_SECRETtoken' }),
    path: /^\/$/,
    check(body) {
      const { title, message, click, actions } = v.parse(NtfyBody, body)
      return [
        readPlain(title),
        readPlain(message),
        {
          text: '',
          links: [...(click === undefined ? [] : [click]), ...actions.map((action) => action.url)],
        },
      ]
    },
  },
  pagerduty: {
    fields: (origin) => ({ routingKey: 'R'.repeat(32), apiUrl: origin }),
    path: /^\/v2\/enqueue$/,
    check: dataOf(PagerDutyBody, 512_000),
    reply: JSON.stringify({ status: 'success' }),
  },
  alertmanager: {
    fields: (origin) => ({ url: `${origin}/alerts/`, authorization: 'Bearer SECRET' }),
    path: /^\/alerts\/api\/v2\/alerts$/,
    check: dataOf(AlertmanagerBody, 1_000_000),
  },
  webhook: {
    fields: (origin) => ({ url: `${origin}/hook?token=SECRET`, secret: signingSecret }),
    path: /^\/hook\?token=SECRET$/,
    check: dataOf(WebhookBody, 20_000),
  },
  'sentry-webhook': {
    fields: (origin) => ({ url: `${origin}/sentry`, clientSecret: 'client-SECRET' }),
    path: /^\/sentry$/,
    check: dataOf(SentryBody, 100_000),
  },
}

/** Checks a request like its service; an error names the violation of its documentation. */
export function checkRequest(kind: string, request: RecordedRequest): void {
  const contract = receiverContracts[kind]
  if (contract === undefined) throw new Error(`no contract for ${kind}`)
  if (!contract.path.test(request.url)) throw new Error(`the path ${request.url}`)
  if (!request.headers['content-type']?.startsWith('application/json')) throw new Error('no JSON')
  const shown = contract.check(JSON.parse(request.body.toString('utf8')))
  const foreign = shown.flatMap(({ links }) => links).filter((link) => !link.startsWith(`${alertOrigin}/`))
  if (foreign.length > 0) throw new Error(`links to ${foreign.join(', ')}`)
}
