import * as v from 'valibot'
import { readHtml, readMarkdown, readMrkdwn, readPlain, type ShownText } from './shown-text.ts'

/** Messages of chat services: each check throws if a body violates the documentation of the service. */

/** A text of at most so many characters. */
export const maxText = (count: number) => v.pipe(v.string(), v.maxLength(count))
const plainText = (count: number) =>
  v.strictObject({
    type: v.literal('plain_text'),
    text: v.pipe(maxText(count), v.minLength(1)),
    emoji: v.literal(false),
  })
const markdownText = (count: number) =>
  v.strictObject({
    type: v.literal('mrkdwn'),
    text: v.pipe(maxText(count), v.minLength(1)),
    verbatim: v.literal(true),
  })
/** An address. */
export const linkUrl = v.pipe(v.string(), v.url(), v.maxLength(3_000))

const SlackBody = v.object({
  text: maxText(4_000),
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
            v.array(v.strictObject({ type: v.literal('button'), text: plainText(75), url: linkUrl })),
            v.minLength(1),
            v.maxLength(25),
          ),
        }),
      ]),
    ),
    v.maxLength(50),
  ),
})

/** A message of Slack: its texts as they are shown. */
export function checkSlack(body: unknown): ShownText[] {
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
  content: v.pipe(maxText(2_000), v.minLength(1)),
  allowed_mentions: v.strictObject({ parse: v.pipe(v.array(v.string()), v.length(0)) }),
  embeds: v.pipe(
    v.array(
      v.strictObject({
        title: v.optional(maxText(256)),
        url: v.optional(linkUrl),
        description: v.optional(maxText(4_096)),
        color: v.pipe(v.number(), v.integer(), v.maxValue(0xff_ff_ff)),
        fields: v.optional(
          v.pipe(
            v.array(
              v.strictObject({
                name: v.pipe(maxText(256), v.minLength(1)),
                value: v.pipe(maxText(1_024), v.minLength(1)),
                inline: v.boolean(),
              }),
            ),
            v.maxLength(25),
          ),
        ),
        footer: v.optional(v.strictObject({ text: maxText(2_048) })),
      }),
    ),
    v.maxLength(10),
  ),
})

/** A message of Discord: its texts as they are shown. */
export function checkDiscord(body: unknown): ShownText[] {
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
          v.array(v.strictObject({ type: v.literal('Action.OpenUrl'), title: v.string(), url: linkUrl })),
          v.maxLength(6),
        ),
        msteams: v.strictObject({ width: v.literal('Full') }),
      }),
    }),
  ]),
})

/** A message of Microsoft Teams: its texts as they are shown. */
export function checkTeams(body: unknown): ShownText[] {
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
  text: v.pipe(maxText(4_096), v.minLength(1)),
  parse_mode: v.literal('HTML'),
  link_preview_options: v.strictObject({ is_disabled: v.literal(true) }),
})

const GoogleChatBody = v.strictObject({
  fallbackText: v.string(),
  thread: v.optional(v.strictObject({ threadKey: maxText(4_000) })),
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
                          onClick: v.strictObject({ openLink: v.strictObject({ url: linkUrl }) }),
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

/** A message of Google Chat: its texts as they are shown. */
export function checkGoogleChat(body: unknown): ShownText[] {
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

/** A message of Telegram: its texts as they are shown. */
export const checkTelegram = (body: unknown): ShownText[] => [
  readHtml(v.parse(TelegramBody, body).text, /^(?:<\/?(?:b|code)>|<a href="[^"<>]*">|<\/a>)$/),
]

const MattermostBody = v.strictObject({
  text: v.pipe(maxText(16_383), v.minLength(1)),
  channel: v.optional(v.string()),
})

/** A message of Mattermost: its texts as they are shown. */
export const checkMattermost = (body: unknown): ShownText[] => [
  readMarkdown(v.parse(MattermostBody, body).text),
]
