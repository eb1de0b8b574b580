import type { AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { cutText } from '#server/normalize/text.ts'
import { joinPresent, toMessageText, type ItemText, type MessageText, type TextLink } from './message-text.ts'
import { breakLinks, toCodeSpan } from './plain-text.ts'

type MarkdownText = { type: 'mrkdwn'; text: string; verbatim: true }
type PlainText = { type: 'plain_text'; text: string; emoji: false }

type SlackBlock =
  | { type: 'header'; text: PlainText }
  | { type: 'section'; text: MarkdownText; fields?: MarkdownText[] }
  | { type: 'context'; elements: MarkdownText[] }
  | { type: 'actions'; elements: { type: 'button'; text: PlainText; url: string }[] }

/** A message in Slack's Block Kit. */
export interface SlackMessage {
  /** For notifications and screen readers. */
  text: string
  blocks: SlackBlock[]
  mrkdwn: false
  unfurl_links: false
  unfurl_media: false
}

/**
 * A message for Slack. Text of events is code, in which Slack detects no mentions, links or formats; titles
 * are not links. Pure.
 */
export function toSlackMessage(message: AlertMessage): SlackMessage {
  const text = toMessageText(message)
  const { lead, title, items, links } = text
  const banner = title === undefined ? lead : `${lead}: ${title}`
  const blocks: SlackBlock[] = [
    { type: 'header', text: plain(cutText(lead, limits.slackHeaderCharacters)) },
    ...items.map((item) => toSection(item, items.length === 1)),
    ...toContext(text),
    ...(links.length === 0 ? [] : [{ type: 'actions' as const, elements: links.map(toButton) }]),
  ]
  return {
    text: cutText(escapeSlack(breakLinks(banner)), limits.slackTextCharacters),
    blocks: blocks.slice(0, limits.slackBlocks),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
  }
}

function toSection(item: ItemText, isSingle: boolean): SlackBlock {
  const { shortId, title, phrase, late, url, facts } = item
  const name = url === undefined ? code(shortId) : `<${escapeSlack(url)}|${escapeSlack(shortId)}>`
  const heading = joinPresent(name, isSingle ? undefined : escapeSlack(phrase), late && escapeSlack(late))
  const text = markdown(`${heading}\n${code(title)}`)
  if (!isSingle || facts.length === 0) return { type: 'section', text }
  const fields = facts
    .slice(0, limits.slackFields)
    .map(({ label, value }) => markdown(`*${label}*\n${code(value)}`))
  return { type: 'section', text, fields }
}

function toContext({ more, reason }: MessageText): SlackBlock[] {
  const lines = [more, reason].filter((line) => line !== undefined)
  if (lines.length === 0) return []
  return [{ type: 'context', elements: [markdown(lines.map(code).join(' · '))] }]
}

function toButton({ label, url }: TextLink) {
  return { type: 'button' as const, text: plain(label), url }
}

function plain(text: string): PlainText {
  return { type: 'plain_text', text, emoji: false }
}

function markdown(text: string): MarkdownText {
  return { type: 'mrkdwn', text, verbatim: true }
}

function code(text: string): string {
  return escapeSlack(toCodeSpan(text))
}

/** Slack's three control characters. https://docs.slack.dev/messaging/formatting-message-text */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
