import { onTestFinished } from 'vitest'
import { deliverToDestination } from '#server/alerts/channels/channels.ts'
import { createMailSender } from '#server/alerts/channels/email/mail-sender.ts'
import type { AlertMessage } from '#server/alerts/message.ts'
import { UpstreamConnections } from '#server/forward/connection.ts'
import { parseSmtpUrl } from '#server/mail-settings.ts'
import { alertMessage } from './alert-messages.ts'
import { startSmtpReceiver } from './smtp-receiver.ts'

/** Limits of time that a mail server which answers does not reach on a busy machine. */
export const mailBounds = { connectMs: 20_000, silenceMs: 20_000, timeoutMs: 40_000 }

/** Limits of time for servers that hang. */
export const shortMailBounds = { connectMs: 1_000, silenceMs: 1_000, timeoutMs: 2_000 }

/** Sends mails by the server at an address. */
export function mailSenderOf(url: string, bounds = mailBounds) {
  const server = parseSmtpUrl(url)
  if (server === undefined) throw new Error(url)
  return createMailSender({ server, from: 'Culvert <culvert@culvert.example>' }, bounds)
}

/** Connections for channels that need some. */
export const mailConnections = new UpstreamConnections({ allowsPrivate: false })

/** Sends a message to `ops@example.com` by the mail server at an address. */
export function sendAlertMail(
  url: string,
  message: AlertMessage = alertMessage(),
  { deliveryId = 'delivery-1', bounds = mailBounds } = {},
) {
  const destination = { id: 'd1', kind: 'email', settings: { to: 'ops@example.com' } }
  return deliverToDestination(message, destination, {
    mail: mailSenderOf(url, bounds),
    connections: mailConnections,
    deliveryId,
    now: () => 0,
  })
}

/** A mail server for one test. */
export async function startMailReceiver(options: Parameters<typeof startSmtpReceiver>[0] = {}) {
  const receiver = await startSmtpReceiver(options)
  onTestFinished(() => receiver.close())
  return receiver
}
