import { parameterize } from './parameterize.ts'

/** Longer messages are cut before they are read; Relay cuts them there as well. */
const messageCharacters = 8192

/** Lines of a message that take part. */
const messageLines = 2

/**
 * A message as it takes part in grouping: its first two lines that are not blank, without what changes from
 * time to time. Empty for a blank message.
 */
export function groupingText(message: string): string {
  // An id printed in hex has only digits now and then, so the two must count as the same.
  return normalizeMessage(message).replaceAll('<hex>', '<int>').replaceAll('<git_sha>', '<int>')
}

/** A message's first two lines that are not blank, with `...` where more follow, parameterized. */
export function normalizeMessage(message: string): string {
  const lines: string[] = []
  for (const line of message.slice(0, messageCharacters).split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue
    if (lines.length === messageLines) return `${parameterize(lines.join('\n'))}...`
    lines.push(line)
  }
  return parameterize(lines.join('\n')).trim()
}
