import { cutText } from '#server/normalize/text.ts'

/**
 * Control characters, line ends, bidi controls and invisible characters: they would break a line, hide a part
 * of it, or show it in another order.
 */
const unshown =
  /(?:[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|\u034f|\u17b4|\u17b5)+/gu

/** More combining marks on one letter than any script uses: they would overlap other lines. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu

/** One line of untrusted text, which is safe in any format once that format's own characters are escaped. */
export function toPlainLine(text: string, maxCharacters: number): string {
  const line = text
    .slice(0, maxCharacters * 4)
    .toWellFormed()
    .replaceAll(unshown, ' ')
    .replaceAll(stackedMarks, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return cutText(line, maxCharacters)
}

/**
 * A hair space. Clients ignore characters without width, and would detect a URL around them, but treat this
 * one as a space.
 */
export const linkBreak = '\u200a'

/**
 * Breaks texts that chat and mail clients convert to links and mentions: URLs, domain names, email
 * addresses, `@name`, `#name`, `/command`. Looks nearly the same.
 */
export function breakLinks(text: string): string {
  return text
    .replaceAll('://', `:${linkBreak}//`)
    .replaceAll(/(?:[\p{L}\p{N}_-]\.(?=\p{L}{2})|\bwww\.|[@#$](?=\S)|(?<=^|\s)\/(?=\S))/giu, `$&${linkBreak}`)
}

/** Truncates a text to bytes of UTF-8 including `…`, never inside a character. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const ellipsis = '…'
  const room = Buffer.from(text).subarray(0, Math.max(0, maxBytes - Buffer.byteLength(ellipsis)))
  // The end may be part of a character.
  return `${new TextDecoder('utf-8', { ignoreBOM: true }).decode(room).replace(/\ufffd+$/, '')}${ellipsis}`
}

/** Escapes the Markdown characters of Discord and Mattermost, and breaks links and mentions. */
export function escapeMarkdown(text: string): string {
  return breakLinks(text).replaceAll(/[\\`*{}[\]()#+\-!_>~|]/g, String.raw`\$&`)
}

/** Text as inline code in Markdown and Slack's mrkdwn, in which only the end has a meaning. Never empty. */
export function toCodeSpan(text: string): string {
  const inert = text.replaceAll('`', '\u02cb').trim()
  return inert === '' ? '(no title)' : `\`${inert}\``
}
