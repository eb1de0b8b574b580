import { parameterize } from './parameterize.ts'

/** Longer messages are truncated before they are parsed, as in Relay. */
const messageCharacters = 8192

/** Lines of a message that contribute. */
const messageLines = 2

/**
 * The contribution of a message to grouping: its first two lines that are not blank, parameterized. Empty for
 * a blank message.
 */
export function groupingText(message: string): string {
  // An id printed in hex sometimes contains only digits, so the two are treated as equal.
  return normalizeMessage(message).replaceAll('<hex>', '<int>').replaceAll('<git_sha>', '<int>')
}

/** A message's first two lines that are not blank, parameterized, with `...` if more follow. */
export function normalizeMessage(message: string): string {
  const lines: string[] = []
  for (const line of message.slice(0, messageCharacters).split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue
    if (lines.length === messageLines) return `${parameterize(lines.join('\n'))}...`
    lines.push(line)
  }
  return parameterize(lines.join('\n')).trim()
}
