import { createHash } from 'node:crypto'
import type { AlertItem, AlertMessage, AlertAnswer } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'

/**
 * The parts of a message for receivers with one alert per issue: single transitions, or the whole message if
 * it is a summary.
 */
export function listAlerts({ kind, items, moreCount }: AlertMessage): readonly AlertItem[] {
  const isSingle = kind === 'transitions' || kind === 'test'
  return isSingle && moreCount === 0 && items.length <= limits.channelAlertsSent ? items : []
}

/** A key of an issue's alert that is equal for all its messages, and differs between installations. */
export function toAlertKey(parts: readonly string[]): string {
  return `culvert-${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 40)}`
}

/** The precedence of several answers: retried ones first, then rejected ones. */
const weightiest: readonly AlertAnswer['verdict'][] = ['disabled', 'retry', 'rejected', 'delivered']

/**
 * Sends several requests of one message, and returns the answer with precedence. They are sent in parallel,
 * so that a slow receiver takes no longer than one request may. A retried request has the same key at the
 * receiver.
 */
export async function sendEach<Part>(
  parts: readonly Part[],
  send: (part: Part) => Promise<AlertAnswer>,
): Promise<AlertAnswer> {
  const answers = await Promise.all(parts.map(send))
  const [first] = answers.toSorted(
    (one, other) => weightiest.indexOf(one.verdict) - weightiest.indexOf(other.verdict),
  )
  return first ?? { verdict: 'delivered' }
}
