import * as v from 'valibot'
import type { AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { defineChannel } from './channel.ts'
import { webUrl } from './field-schemas.ts'
import { judgeReceiver } from './http/judge-answer.ts'
import { sendJson } from './http/send-json.ts'
import { fitIssues, joinPresent, toMessageText, type ItemText } from './message-text.ts'
import { breakLinks } from './plain-text.ts'

/** Microsoft Teams through a workflow. The earlier connectors of Office 365 no longer exist. */
export const teams = defineChannel({
  kind: 'teams',
  name: 'Microsoft Teams',
  help: 'In Teams: the channel → … → Workflows → "Send webhook alerts to a channel", copy the URL.',
  fields: [
    {
      name: 'url',
      label: 'Workflow URL',
      help: 'Everyone who has it can post into the channel. It is long: copy all of it.',
      kind: 'url',
      isSecret: true,
    },
  ],
  schema: v.object({
    url: v.pipe(
      webUrl('Enter the URL of a workflow with the trigger "When a Teams webhook request is received".'),
      v.check(
        (value) => !/(?:^|\.)webhook\.office\.com$/.test(URL.parse(value)?.hostname ?? ''),
        'This is the URL of a connector, which Microsoft has closed. Create a workflow instead.',
      ),
    ),
  }),
  async send({ message, settings, tools }) {
    const answer = await sendJson({ url: settings.url, body: JSON.stringify(toTeamsMessage(message)) }, tools)
    // 401, 403, 404: the workflow was deleted or its signature changed.
    return judgeReceiver(answer, { disabling: [401, 403, 404, 410], now: tools.now() })
  },
})

/**
 * An adaptive card for Teams. Uses text runs, which ignore Markdown, instead of text blocks. With fewer
 * issues if the card would be too large. Pure.
 */
function toTeamsMessage(message: AlertMessage) {
  return fitIssues(
    (itemCount) => toCardMessage(message, itemCount),
    // Teams counts bytes of UTF-16.
    (card) => Buffer.byteLength(JSON.stringify(card), 'utf16le') <= limits.teamsBytes,
  )
}

function toCardMessage(message: AlertMessage, itemCount: number) {
  const { lead, items, more, reason, links } = toMessageText(message, itemCount)
  const end = [more, reason]
    .filter((line) => line !== undefined)
    .map((line) => toLine({ text: line, isSubtle: true }))
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            toLine({ text: lead, weight: 'Bolder', size: 'Medium' }),
            ...items.flatMap((item) => toItem(item, items.length === 1)),
            ...end,
          ],
          actions: links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
          msteams: { width: 'Full' },
        },
      },
    ],
  }
}

interface Run {
  text: string
  weight?: 'Bolder'
  size?: 'Medium'
  fontType?: 'Monospace'
  isSubtle?: boolean
}

function toItem({ shortId, phrase, title, late, facts }: ItemText, isSingle: boolean) {
  const name = joinPresent(shortId, isSingle ? undefined : phrase, late)
  return [
    toLine({ text: name, isSubtle: true }),
    toLine({ text: title, fontType: 'Monospace' }),
    ...(isSingle
      ? facts.map(({ label, value }) => toLine({ text: `${label}: `, weight: 'Bolder' }, { text: value }))
      : []),
  ]
}

function toLine(...runs: Run[]) {
  return { type: 'RichTextBlock', inlines: runs.map(toTextRun) }
}

function toTextRun(run: Run) {
  return { type: 'TextRun', ...run, text: breakLinks(run.text) }
}
