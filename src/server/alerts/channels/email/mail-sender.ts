import type { SendMailOptions } from 'nodemailer'
import type { AlertAnswer } from '#server/alerts/message.ts'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { findMailAddress, type MailSettings } from '#server/mail-settings.ts'
import { judgeMailError } from './judge-mail.ts'

/** One e-mail to one address. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** `<…@…>` */
  messageId: string
  /** The first message of its thread. */
  threadId?: string
  headers: Readonly<Record<string, string>>
}

/** Sends mail by the operator's server. */
export interface MailSender {
  /** The domain of the sender's address, for message ids. */
  readonly domain: string
  send(mail: Mail): Promise<AlertAnswer>
  /** The problem of the mail server, for operators; undefined if it accepts mail. */
  findProblem(): Promise<string | undefined>
  /** Aborts mails in flight. */
  close(): void
}

/** Times that an SMTP conversation is held to. */
export interface MailBounds {
  connectMs: number
  silenceMs: number
  timeoutMs: number
}

const ordinaryBounds: MailBounds = {
  connectMs: limits.mailConnectMs,
  silenceMs: limits.mailSilenceMs,
  timeoutMs: limits.mailTimeoutMs,
}

/** Creates a sender. Opens nothing: each mail has its own connection. */
export function createMailSender({ server, from }: MailSettings, bounds = ordinaryBounds): MailSender {
  const closing = new AbortController()
  const open = async () => {
    // Only now, because who sends no mail shall not have it in memory.
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host: server.host,
      port: server.port,
      secure: server.isTlsFromStart,
      requireTLS: server.requiresTls,
      connectionTimeout: bounds.connectMs,
      greetingTimeout: bounds.connectMs,
      socketTimeout: bounds.silenceMs,
      // A mail is texts only: nothing in it names a file or a URL to be read.
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(server.user !== undefined && { auth: { user: server.user, pass: server.password ?? '' } }),
    })
  }
  return {
    domain: findMailAddress(from)?.split('@')[1] ?? 'culvert',
    async send(mail) {
      try {
        const { response } = await (
          await open()
        ).sendMail({
          ...toOptions(mail, from),
          signal: AbortSignal.any([AbortSignal.timeout(bounds.timeoutMs), closing.signal]),
        })
        const status = Number(/^[0-9]{3}/.exec(response)?.[0])
        return { verdict: 'delivered', answerExcerpt: response, ...(status > 0 && { status }) }
      } catch (error) {
        return judgeMailError(error)
      }
    },
    async findProblem() {
      try {
        await (await open()).verify()
        return undefined
      } catch (error) {
        return `The mail server ${server.host}:${server.port} cannot be used: ${errorMessage(error)}`
      }
    },
    close: () => closing.abort(),
  }
}

function toOptions(mail: Mail, from: string): SendMailOptions {
  const { to, subject, text, html, messageId, threadId, headers } = mail
  return {
    from,
    // Not parsed as a list.
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId,
    ...(threadId !== undefined && { inReplyTo: threadId, references: threadId }),
    headers: { ...headers },
  }
}
