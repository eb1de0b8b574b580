import type { AlertMessage, AlertAnswer, Destination } from '#server/alerts/message.ts'
import { limits } from '#server/limits.ts'
import { alertmanager } from './alertmanager.ts'
import { parseSecrets, type Channel, type ChannelTools } from './channel.ts'
import { discord } from './discord.ts'
import { email } from './email/email.ts'
import { googleChat } from './google-chat.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { pagerDuty } from './pagerduty.ts'
import { toPlainLine } from './plain-text.ts'
import { push } from './push/push.ts'
import { sentryWebhook } from './sentry-webhook.ts'
import { slackBot, slackWebhook } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

/** All channels, in the order of the screens. */
export const channels: readonly Channel[] = [
  email,
  slackWebhook,
  slackBot,
  discord,
  mattermost,
  teams,
  telegram,
  googleChat,
  ntfy,
  pagerDuty,
  alertmanager,
  webhook,
  sentryWebhook,
]

/** The channel of a kind; undefined if there is none. */
export function findChannel(kind: string): Channel | undefined {
  return channels.find((channel) => channel.kind === kind)
}

/**
 * Makes one attempt to deliver a message to a destination. Never rejects; the answer contains no secret of
 * the destination.
 */
export async function deliverToDestination(
  message: AlertMessage,
  destination: Destination,
  tools: ChannelTools,
): Promise<AlertAnswer> {
  // Browsers are not created as destinations.
  const channel = destination.kind === push.kind ? push : findChannel(destination.kind)
  if (channel === undefined)
    return { verdict: 'rejected', answerExcerpt: `There is no channel ${toPlainLine(destination.kind, 40)}.` }
  try {
    const answer = await channel.deliver(message, destination, tools)
    const { answerExcerpt } = answer
    return answerExcerpt === undefined
      ? answer
      : { ...answer, answerExcerpt: withoutSecrets(answerExcerpt, destination) }
  } catch (error) {
    // A bug of Culvert: the message is not lost. The error's text may contain secrets.
    return { verdict: 'retry', answerExcerpt: `Culvert could not create the message: ${nameOf(error)}` }
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

/** Removes secrets from an answer, because a receiver may repeat the request. */
function withoutSecrets(text: string, { secret }: Destination): string {
  let clean = text
  for (const value of Object.values(parseSecrets(secret)).flatMap((each) => each.split(/\s+/)))
    if (value.length >= 4) clean = clean.replaceAll(value, '…')
  return toPlainLine(clean, limits.channelAnswerCharacters)
}
