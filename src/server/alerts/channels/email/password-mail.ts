import { randomUUID } from 'node:crypto'
import type { MessageText } from '#server/alerts/channels/message-text.ts'
import { limits } from '#server/limits.ts'
import { hourMs } from '#time/time-steps.ts'
import { toMailText } from './alert-mail.ts'
import { toMailHtml } from './mail-html.ts'
import type { Mail } from './mail-sender.ts'

/** The mail with a link for a new password. `domain`: of the message id. */
export function toPasswordMail({ to, url, domain }: { to: string; url: string; domain: string }): Mail {
  const { host } = new URL(url)
  const text: MessageText = {
    lead: 'Set a new password for Culvert',
    items: [],
    more: `The link works once, within ${limits.mailedPasswordLinkMs / hourMs} hours. The new password signs you out everywhere and revokes your API tokens.`,
    reason: `Someone requested this link for ${to} at ${host}. If it was not you, ignore this mail: your password does not change.`,
    links: [{ label: 'Set password', url }],
  }
  return {
    to,
    subject: text.lead,
    text: toMailText(text),
    html: toMailHtml(text),
    // Random, because a mail server logs it.
    messageId: `<${randomUUID()}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
