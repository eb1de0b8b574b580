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

/**
 * The answer to several requests of one message: the first one that is not delivered. Sends the next only
 * after one is delivered; what is sent again after a failure has the same key at the receiver.
 */
export async function sendEach<Part>(
  parts: readonly Part[],
  send: (part: Part) => Promise<AlertAnswer>,
): Promise<AlertAnswer> {
  let last: AlertAnswer = { verdict: 'delivered' }
  for (const part of parts) {
    last = await send(part)
    if (last.verdict !== 'delivered') return last
  }
  return last
}
