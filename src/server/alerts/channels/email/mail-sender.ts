import { connect } from 'node:net'
import type { SendMailOptions, SMTPTransportOptions } from 'nodemailer'
import type { AlertAnswer } from '#server/alerts/message.ts'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { findMailAddress, type MailSettings } from '#server/mail-settings.ts'
import { judgeMailError } from './judge-mail.ts'

/** One email to one address. */
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

/** Sends mail through the operator's server. */
export interface MailSender {
  /** The domain of the sender's address, for message ids. */
  readonly domain: string
  send(mail: Mail): Promise<AlertAnswer>
  /** The problem of the mail server, for operators; undefined if it accepts mail. */
  findProblem(): Promise<string | undefined>
  /** Aborts mails and checks in flight. */
  close(): void
}

/** Time-outs of an SMTP conversation. */
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

/** Creates a sender without opening a connection: each mail has its own. */
export function createMailSender({ server, from }: MailSettings, bounds = ordinaryBounds): MailSender {
  const closing = new AbortController()
  const open = async (options: Pick<SMTPTransportOptions, 'getSocket'> = {}) => {
    // Imported on first use: an installation without mail does not load it.
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host: server.host,
      port: server.port,
      secure: server.isTlsFromStart,
      requireTLS: server.requiresTls,
      connectionTimeout: bounds.connectMs,
      greetingTimeout: bounds.connectMs,
      socketTimeout: bounds.silenceMs,
      // A mail consists of texts only, so no file or URL may be read.
      disableFileAccess: true,
      disableUrlAccess: true,
      ...options,
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
        const getSocket = connectUntil(closing.signal, bounds.connectMs)
        await (await open({ getSocket })).verify()
        return undefined
      } catch (error) {
        return `The mail server ${server.host}:${server.port} cannot be used: ${errorMessage(error)}`
      }
    },
    close: () => closing.abort(),
  }
}

/** Opens connections that an abort signal closes: checks cannot be aborted otherwise. */
function connectUntil(signal: AbortSignal, connectMs: number): SMTPTransportOptions['getSocket'] {
  return ({ host, port }, callback) => {
    const socket = connect({ host: host ?? 'localhost', port: Number(port), timeout: connectMs })
    const abort = () => void socket.destroy(new Error('The check was aborted'))
    signal.addEventListener('abort', abort)
    socket.once('close', () => signal.removeEventListener('abort', abort))
    socket.once('timeout', () => socket.destroy(new Error('The connection timed out')))
    socket.once('error', callback)
    socket.once('connect', () => {
      socket.removeListener('error', callback).setTimeout(0)
      callback(null, { connection: socket })
    })
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
