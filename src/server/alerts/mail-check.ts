import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import type { MailSettings } from '#server/mail-settings.ts'
import { createMailSender } from './channels/email/mail-sender.ts'

/** Checks whether the mail server accepts mail. */
export interface MailCheck {
  /** Host and port; undefined without a mail server. */
  readonly server: string | undefined
  /** The last problem; undefined if the server accepts mail, or was not checked yet. */
  findProblem(): string | undefined
  /**
   * Starts checking in the background, because Culvert must start even if the mail server does not answer:
   * every `limits.mailCheckMs` until it accepts mail, and every `limits.mailRecheckMs` from then on.
   */
  start(): void
  /** Aborts a check in flight. */
  stop(): Promise<void>
}

export interface MailCheckOptions {
  mail: MailSettings | undefined
  log: Log
  /** Milliseconds until the next check, while the server does not accept mail and while it does. */
  delays?: { failing: number; working: number }
}

const usualDelays = { failing: limits.mailCheckMs, working: limits.mailRecheckMs }

/** Creates a check without starting it. Logs a warning when a problem begins, and its end. */
export function createMailCheck({ mail, log, delays = usualDelays }: MailCheckOptions): MailCheck {
  const sender = mail && createMailSender(mail)
  let problem: string | undefined
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let isStopped = false

  const check = async () => {
    const found = await sender?.findProblem()
    if (isStopped) return
    if (found !== undefined && found !== problem)
      log.warn(
        { problem: found },
        'alerts and links for new passwords are not mailed: check CULVERT_SMTP_URL',
      )
    if (found === undefined && problem !== undefined) log.info({}, 'the mail server accepts mail again')
    problem = found
    timer = setTimeout(begin, found === undefined ? delays.working : delays.failing).unref()
  }
  const begin = () => {
    checking = check()
  }
  return {
    server: mail && `${mail.server.host}:${mail.server.port}`,
    findProblem: () => problem,
    start() {
      if (sender !== undefined) begin()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      sender?.close()
      await checking
    },
  }
}
