import { createHash } from 'node:crypto'
import {
  joinPresent,
  toMessageText,
  type ItemText,
  type MessageText,
} from '#server/alerts/channels/message-text.ts'
import { breakLinks, toPlainLine } from '#server/alerts/channels/plain-text.ts'
import { formatHeadline, type AlertMessage } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { toMailHtml } from './mail-html.ts'
import type { Mail } from './mail-sender.ts'

/** The receiver and identifiers of a mail. */
export interface MailFrame {
  to: string
  /** Equal for all attempts. */
  deliveryId: string
  /** The domain of message ids. */
  domain: string
}

/** Converts a message to a mail. Pure. */
export function toAlertMail(message: AlertMessage, { to, deliveryId, domain }: MailFrame): Mail {
  const text = toMessageText(message)
  return {
    to,
    subject: toSubject(message, text),
    text: toMailText(text),
    html: toMailHtml(text),
    messageId: `<${deliveryId.replaceAll(/[^A-Za-z0-9_-]/g, '_')}@${domain}>`,
    // Mail clients group mails that refer to the same message, even if it does not exist.
    threadId: message.threadKey === undefined ? undefined : `<thread-${hashOf(message.threadKey)}@${domain}>`,
    headers: toHeaders(message, domain),
  }
}

/** Equal for all mails about an issue, because Gmail starts another thread if the subject changes. */
function toSubject(message: AlertMessage, { items }: MessageText): string {
  const [first] = items
  const isAboutIssue = message.threadKey !== undefined && first !== undefined && message.items.length === 1
  const subject = isAboutIssue
    ? `[${message.project.name}] ${first.shortId} ${first.title}`
    : `[${message.organization}] ${formatHeadline({ ...message, kind: 'transitions' })}`
  return toPlainLine(message.kind === 'test' ? `Test: ${subject}` : subject, limits.mailSubjectCharacters)
}

/** Headers for one-click unsubscribing (RFC 8058) and against automatic replies (RFC 3834). */
function toHeaders({ urls, project, organization }: AlertMessage, domain: string): Record<string, string> {
  const unsubscribe = URL.parse(urls.unsubscribe ?? '')
  const canEnd = unsubscribe !== null && /^https?:$/.test(unsubscribe.protocol)
  return {
    'List-Id': `${toHeaderWords(`${organization} ${project.slug}`)} <${hashOf(project.slug).slice(0, 12)}.alerts.${domain}>`,
    ...(canEnd && { 'List-Unsubscribe': `<${unsubscribe.href}>` }),
    // Only with https, which the RFC requires.
    ...(canEnd &&
      unsubscribe.protocol === 'https:' && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    Precedence: 'bulk',
  }
}

function toHeaderWords(text: string): string {
  return toPlainLine(text, 100)
    .replaceAll(/[^A-Za-z0-9 _-]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** The mail as plain text. Links of Culvert are on lines of their own; text of events contains none. */
export function toMailText({ lead, items, more, reason, links }: MessageText): string {
  const parts = [
    breakLinks(lead),
    ...items.map((item) => toItemLines(item, items.length === 1)),
    ...(more === undefined ? [] : [more]),
    links.map(({ label, url }) => `${label}:\n${url}`).join('\n'),
    ...(reason === undefined ? [] : [`-- \n${breakLinks(reason)}`]),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function toItemLines({ shortId, phrase, title, late, url, facts }: ItemText, isSingle: boolean): string {
  const lines = [
    joinPresent(shortId, isSingle ? undefined : phrase, late),
    `  ${breakLinks(title)}`,
    ...(isSingle ? facts.map(({ label, value }) => `  ${label}: ${breakLinks(value)}`) : []),
    ...(isSingle || url === undefined ? [] : [`  ${url}`]),
  ]
  return lines.join('\n')
}
