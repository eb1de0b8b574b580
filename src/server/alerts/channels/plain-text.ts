import { cutText } from '#server/normalize/text.ts'

/**
 * Control characters, line ends, marks that change the writing direction, and invisible characters: they
 * would break a line, hide a part of it, or show it in another order.
 */
const unshown =
  /(?:[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|\u034f|\u17b4|\u17b5)+/gu

/** More marks on one letter than any script has: they would be drawn over other lines. */
const stackedMarks = /(\p{M}{4})\p{M}+/gu

/** One line of text from outside, safe in any format once that format's own characters are escaped. */
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
 * A hair space. Clients ignore characters without width, and would detect an address around it; this is a
 * blank to all of them.
 */
export const linkBreak = '\u200a'

/**
 * Breaks what chat and mail clients make links and mentions of by themselves: URLs, domain names, e-mail
 * addresses, `@name`, `#name`, `/command`. Looks nearly the same.
 */
export function breakLinks(text: string): string {
  return text
    .replaceAll('://', `:${linkBreak}//`)
    .replaceAll(/(?:[\p{L}\p{N}_-]\.(?=\p{L}{2})|\bwww\.|[@#$](?=\S)|(?<=^|\s)\/(?=\S))/giu, `$&${linkBreak}`)
}

/** Cuts a text to bytes of UTF-8, `…` included, never through a character. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const ellipsis = '…'
  const room = Buffer.from(text).subarray(0, Math.max(0, maxBytes - Buffer.byteLength(ellipsis)))
  // The end may be a part of a character.
  return `${new TextDecoder('utf-8', { ignoreBOM: true }).decode(room).replace(/\ufffd+$/, '')}${ellipsis}`
}

/** Escapes the characters of Markdown that Discord and Mattermost know, and breaks links and mentions. */
export function escapeMarkdown(text: string): string {
  return breakLinks(text).replaceAll(/[\\`*{}[\]()#+\-!_>~|]/g, String.raw`\$&`)
}

/** Text as code in Markdown and Slack's mrkdwn, where nothing has a meaning but the end. Never empty. */
export function toCodeSpan(text: string): string {
  const inert = text.replaceAll('`', '\u02cb').trim()
  return inert === '' ? '(no title)' : `\`${inert}\``
}
