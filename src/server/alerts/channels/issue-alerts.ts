import { createHash } from 'node:crypto'
import type { AlertItem, AlertMessage, AlertAnswer } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'

/**
 * What a message consists of for receivers that keep one alert for each issue: single transitions, or the
 * whole message where it is a summary.
 */
export function listAlerts({ kind, items, moreCount }: AlertMessage): readonly AlertItem[] {
  const isSingle = kind === 'transitions' || kind === 'test'
  return isSingle && moreCount === 0 && items.length <= limits.channelAlertsSent ? items : []
}

/** A name for an issue's alert that is the same each time, and another one in each installation. */
export function toAlertKey(parts: readonly string[]): string {
  return `culvert-${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 40)}`
}

/** The order of precedence of several answers: retried first, then rejected. */
const weightiest: readonly AlertAnswer['verdict'][] = ['disabled', 'retry', 'rejected', 'delivered']

/**
 * The answer with precedence among those to several requests of one message. They are sent at the same time,
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
